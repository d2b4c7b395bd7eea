/* vary.c - makes a source of verify/ one in which equality can be damaged, and writes down where.
 *
 *     vary FIRST LIST SOURCE > VARIED
 *
 * Every place gets a number, from FIRST on; LIST gets a line for each: number, file:line, how it is damaged, the
 * function, the text. Places are found in the text alone:
 *
 *     same     a comparison of like with like: both sides end in the same name (`a->mask == b->mask`, `entry->layer ==
 *              layer`), or are compared by memcmp, strcmp or a function ..._equal, ..._same, ..._alike, ..._compare;
 * and COMPARE(a, b). It is answered as if both were equal, wherever in a condition it stands. true,    a condition in a
 * function that makes a normal form, or in a file that does nothing but follow an order: it false    is answered so.
 * The comment of such a function begins with "Normal form: ", that of such a file says "every condition counts". skip
 * a call for its effect alone in such a function: it is left out.
 *
 * All hashes are 0, so that what tells things apart is compared. Conditions of `for` are left alone, and what is no
 * condition: what is only worded (functions report_..., fault_...) too.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 1 << 20, MOST_EDITS = 1 << 14, MOST_NAME = 64 };

/* Text that is put in before a place. */
typedef struct Edit {
    int at;
    char text[40];
} Edit;

typedef struct Vary {
    const char *path;
    char text[MOST_TEXT];
    bool code[MOST_TEXT]; /* no comment, no string */
    int length;
    int number;
    FILE *list;
    Edit edit[MOST_EDITS];
    int edit_count;
    bool all;                 /* every condition of the file counts */
    char function[MOST_NAME]; /* the current one, "" outside all */
    bool counts, words;       /* it makes a normal form; it words a report */
    bool answers;             /* it says yes or no */
} Vary;

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* ---- The text ----------------------------------------------------------------------------------------------- */

static bool read_source(Vary *v)
{
    FILE *file = fopen(v->path, "r");
    if (!file)
        return false;
    v->length = (int)fread(v->text, 1, MOST_TEXT - 1, file);
    fclose(file);
    return v->length < MOST_TEXT - 1;
}

static void mark_code(Vary *v)
{
    const char *t = v->text;
    for (int i = 0; i < v->length;) {
        int end = i + 1;
        bool code = false;
        if (t[i] == '/' && t[i + 1] == '*') {
            end = (int)(strstr(t + i, "*/") + 2 - t);
        } else if (t[i] == '/' && t[i + 1] == '/') {
            end = i + (int)strcspn(t + i, "\n");
        } else if (t[i] == '"' || t[i] == '\'') {
            while (end < v->length && t[end] != t[i])
                end += t[end] == '\\' ? 2 : 1;
            end++;
        } else {
            code = true;
        }
        for (; i < end && i < v->length; i++)
            v->code[i] = code;
    }
}

/* The bracket that closes the one at `open`. */
static int close_of(const Vary *v, int open)
{
    int depth = 0;
    for (int i = open; i < v->length; i++) {
        if (!v->code[i])
            continue;
        depth += strchr("([{", v->text[i]) ? 1 : strchr(")]}", v->text[i]) ? -1 : 0;
        if (depth == 0)
            return i;
    }
    return v->length;
}

/* Past blanks, comments and preprocessor's line ends. */
static int skip_blank(const Vary *v, int at, int end)
{
    while (at < end &&
           (isspace((unsigned char)v->text[at]) ||
            (!v->code[at] && v->text[at] != '"' && v->text[at] != '\'' && (v->text[at] == '/' || !v->code[at - 1]))))
        at++;
    return at;
}

static int trim_end(const Vary *v, int begin, int end)
{
    while (end > begin && isspace((unsigned char)v->text[end - 1]))
        end--;
    return end;
}

/* The first of the operators, a blank between them, at the top of [begin, end); -1: there is none. Its length in
 * *length. */
static int find_top(const Vary *v, int begin, int end, const char *operators, int *length)
{
    for (int i = begin; i < end; i++) {
        if (!v->code[i])
            continue;
        if (strchr("([{", v->text[i])) {
            i = close_of(v, i);
            continue;
        }
        for (const char *at = operators; *at; at += *length + (at[*length] == ' ')) {
            *length = (int)strcspn(at, " ");
            if (strncmp(v->text + i, at, (size_t)*length) != 0)
                continue;
            char before = v->text[i - 1], after = v->text[i + *length];
            bool other = (*at == '<' || *at == '>') && (before == *at || after == *at || before == '-');
            if (!other && !(*length == 1 && after == '='))
                return i;
        }
    }
    return -1;
}

/* ---- Places ------------------------------------------------------------------------------------------------- */

static void put(Vary *v, int at, const char *text)
{
    if (v->edit_count == MOST_EDITS)
        exit(2);
    Edit *edit = &v->edit[v->edit_count++];
    edit->at = at;
    snprintf(edit->text, sizeof edit->text, "%s", text);
}

static void note(Vary *v, const char *how, int begin, int end)
{
    int line = 1;
    for (int i = 0; i < begin; i++)
        line += v->text[i] == '\n';
    fprintf(v->list, "%d %s:%d %s %s: ", v->number++, v->path, line, how, v->function);
    for (int i = begin; i < end; i++)
        if (!isspace((unsigned char)v->text[i]))
            fputc(v->text[i], v->list);
        else if (!isspace((unsigned char)v->text[i - 1]))
            fputc(' ', v->list);
    fputc('\n', v->list);
}

/* The last name of an operand: of `a->part[i].index` and `index` "index". Empty where it does not end in one. */
static void last_name(const Vary *v, int begin, int end, char name[MOST_NAME])
{
    name[0] = '\0';
    end = trim_end(v, begin, end);
    while (end > begin && v->text[end - 1] == ']') {
        int depth = 0;
        do {
            end--;
            depth += v->text[end] == ']' ? 1 : v->text[end] == '[' ? -1 : 0;
        } while (depth > 0 && end > begin);
    }
    int first = end;
    while (first > begin && is_name(v->text[first - 1]))
        first--;
    if (first < end && !isdigit((unsigned char)v->text[first]) && end - first < MOST_NAME)
        snprintf(name, MOST_NAME, "%.*s", end - first, v->text + first);
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return length >= tail && !strcmp(name + length - tail, end);
}

/* Is [begin, end) a call of a function that compares? *orders: it says 0 where both are equal. */
static bool is_comparing_call(const Vary *v, int begin, int end, bool *orders)
{
    char name[MOST_NAME];
    int open = begin;
    while (open < end && is_name(v->text[open]))
        open++;
    if (open == begin || open - begin >= MOST_NAME || v->text[open] != '(' ||
        close_of(v, open) != trim_end(v, begin, end) - 1)
        return false;
    snprintf(name, sizeof name, "%.*s", open - begin, v->text + begin);
    *orders = !strcmp(name, "memcmp") || !strcmp(name, "strcmp") || strstr(name, "_compare");
    return *orders || ends_with(name, "_equal") || ends_with(name, "_same") || ends_with(name, "_alike");
}

/* Whether the condition compares like with like; *equal: what it says where both are equal. */
static bool compares(const Vary *v, int begin, int end, bool *equal)
{
    int length;
    bool orders, negated = v->text[begin] == '!';
    if (is_comparing_call(v, begin + negated, end, &orders)) {
        *equal = negated == orders;
        return true;
    }
    int at = find_top(v, begin, end, "== !=", &length);
    if (at < 0)
        return false;
    *equal = v->text[at] == '=';
    int left_end = trim_end(v, begin, at), right = skip_blank(v, at + length, end);
    if (is_comparing_call(v, begin, left_end, &orders) && orders)
        return v->text[right] == '0';
    char a[MOST_NAME], b[MOST_NAME];
    last_name(v, begin, left_end, a);
    last_name(v, right, end, b);
    return a[0] != '\0' && !strcmp(a, b);
}

static void vary_atom(Vary *v, int begin, int end)
{
    char text[40];
    bool equal;
    begin = skip_blank(v, begin, end);
    end = trim_end(v, begin, end);
    if (begin >= end || v->words)
        return;
    if (compares(v, begin, end, &equal)) {
        snprintf(text, sizeof text, "VARY_SAME(%d, %d, ", v->number, equal);
        note(v, "same", begin, end);
    } else if (v->counts) {
        snprintf(text, sizeof text, "VARY_BOTH(%d, ", v->number);
        note(v, "true", begin, end);
        note(v, "false", begin, end);
    } else {
        return;
    }
    put(v, begin, text);
    put(v, end, ")");
}

static void vary_expression(Vary *v, int begin, int end, bool condition);

/* A list of && or ||, or what is in one's parentheses. */
static void vary_condition(Vary *v, int begin, int end)
{
    static const char *const lists[] = {"||", "&&"};
    int length;
    begin = skip_blank(v, begin, end);
    end = trim_end(v, begin, end);
    for (int i = 0; i < 2; i++) {
        int at = find_top(v, begin, end, lists[i], &length);
        if (at < 0)
            continue;
        vary_condition(v, begin, at);
        vary_condition(v, at + 2, end);
        return;
    }
    int open = begin + (v->text[begin] == '!');
    if (v->text[open] == '(' && close_of(v, open) == end - 1)
        vary_expression(v, open + 1, end - 1, true);
    else
        vary_atom(v, begin, end);
}

static void vary_expression(Vary *v, int begin, int end, bool condition)
{
    int length, asks = find_top(v, begin, end, "?", &length);
    if (asks >= 0) {
        int depth = 0, colon = asks + 1;
        for (; colon < end; colon++) {
            if (v->code[colon] && strchr("([{", v->text[colon]))
                colon = close_of(v, colon);
            else if (v->code[colon] && v->text[colon] == '?')
                depth++;
            else if (v->code[colon] && v->text[colon] == ':' && depth-- == 0)
                break;
        }
        vary_condition(v, begin, asks);
        vary_expression(v, asks + 1, colon, condition);
        vary_expression(v, colon + 1, end, condition);
    } else if (condition || find_top(v, begin, end, "|| && == != <= >= < >", &length) >= 0) {
        vary_condition(v, begin, end);
    } else {
        bool orders;
        int from = skip_blank(v, begin, end), to = trim_end(v, from, end);
        if (v->answers && from < to && is_comparing_call(v, from + (v->text[from] == '!'), to, &orders) && !orders)
            vary_condition(v, from, to);
    }
}

/* A call as a statement: COMPARE, or one that is left out. */
static void vary_call(Vary *v, int begin)
{
    static const char *const kept[] = {"BUG", "vec_push", "memcpy", "memset", "memmove", "return"};
    int open = begin;
    char text[40];
    while (is_name(v->text[open]))
        open++;
    int close = close_of(v, open);
    if (v->text[open] != '(' || v->text[close + 1] != ';' || v->words)
        return;
    bool compares = !strncmp(v->text + begin, "COMPARE(", 8);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (!strncmp(v->text + begin, kept[i], (size_t)(open - begin)))
            return;
    if (!compares && (!v->counts || !strncmp(v->text + begin, "diag_", 5)))
        return;
    snprintf(text, sizeof text, compares ? "_VARIED(%d, " : "VARY_SKIP(%d) ", v->number);
    put(v, compares ? open : begin, text);
    note(v, compares ? "same" : "skip", begin, close + 1);
}

/* ---- The source --------------------------------------------------------------------------------------------- */

static bool is_word(const Vary *v, int at, const char *word)
{
    size_t length = strlen(word);
    return v->code[at] && (at == 0 || !is_name(v->text[at - 1])) && !strncmp(v->text + at, word, length) &&
           !is_name(v->text[at + (int)length]);
}

/* Enters the function whose body opens at `brace`; false where it is none. */
static bool enter_function(Vary *v, int brace)
{
    int at = brace - 1, depth = 0;
    while (at > 0 && isspace((unsigned char)v->text[at]))
        at--;
    if (v->text[at] != ')')
        return false;
    do {
        depth += v->text[at] == ')' ? 1 : v->text[at] == '(' ? -1 : 0;
        at--;
    } while (depth > 0 && at > 0);
    int end = at + 1;
    while (at >= 0 && is_name(v->text[at]))
        at--;
    snprintf(v->function, sizeof v->function, "%.*s", end - at - 1, v->text + at + 1);
    while (at > 0 && v->text[at] != '\n')
        at--;
    v->answers = strstr(v->text + at, "bool ") != NULL && strstr(v->text + at, "bool ") < strchr(v->text + at, '(');
    int comment = at;
    while (comment > 1 && !(v->text[comment] == '/' && v->text[comment + 1] == '*' && !v->code[comment]))
        comment--;
    bool its = at > 1 && v->text[at - 1] == '/' && v->text[at - 2] == '*';
    v->counts = v->all || (its && !strncmp(v->text + comment, "/* Normal form: ", 16));
    v->words = strncmp(v->function, "report", 6) == 0 || strncmp(v->function, "fault_", 6) == 0;
    return true;
}

/* The semicolon after, or the bracket that closes what is around. */
static int statement_end(const Vary *v, int at)
{
    while (at < v->length && !(v->code[at] && strchr(";)]}", v->text[at])))
        at = v->code[at] && strchr("([{", v->text[at]) ? close_of(v, at) + 1 : at + 1;
    return at;
}

/* The place after what has been varied. */
static int vary_at(Vary *v, int at, bool begins)
{
    if (is_word(v, at, "for"))
        return close_of(v, at + 4);
    if (is_word(v, at, "if") || is_word(v, at, "while")) {
        int open = at + (int)strcspn(v->text + at, "("), close = close_of(v, open);
        vary_expression(v, open + 1, close, true);
        return close;
    }
    if (is_word(v, at, "return")) {
        int end = statement_end(v, at);
        vary_expression(v, at + 6, end, false);
        return end;
    }
    bool assigns = v->code[at] && v->text[at] == '=' && v->text[at + 1] == ' ' && v->text[at - 1] == ' ';
    if (assigns && v->text[at + 2] != '{') {
        int end = statement_end(v, at), length, more = find_top(v, at, end, ",", &length);
        vary_expression(v, at + 1, more >= 0 ? more : end, false);
        return (more >= 0 ? more : end) - 1;
    }
    if (begins && v->code[at] && is_name(v->text[at]))
        vary_call(v, at);
    return at;
}

static void vary_source(Vary *v)
{
    int depth = 0;
    bool begins = false; /* a statement */
    v->all = strstr(v->text, "every condition counts") != NULL;
    for (int i = 0; i < v->length; i++) {
        if (!v->code[i])
            continue;
        char c = v->text[i];
        if (c == '#' && (i == 0 || v->text[i - 1] == '\n')) {
            while (v->text[i] != '\n' || v->text[i - 1] == '\\')
                i++;
            continue;
        }
        if (c == '{' && depth++ == 0 && !enter_function(v, i)) {
            i = close_of(v, i);
            depth = 0;
        }
        if (c == '}' && --depth == 0)
            v->function[0] = '\0';
        if (depth > 0 && c != '{' && c != '}') {
            int after = vary_at(v, i, begins);
            begins = begins && after == i && isspace((unsigned char)c);
            if (after > i && v->text[after] == ')')
                begins = true;
            i = after;
            begins = begins || v->text[i] == ';';
        } else {
            begins = true;
        }
    }
}

static void print_varied(const Vary *v)
{
    int at = 0;
    for (int i = 0; i <= v->edit_count; i++) {
        int until = i < v->edit_count ? v->edit[i].at : v->length;
        fwrite(v->text + at, 1, (size_t)(until - at), stdout);
        at = until;
        if (i == v->edit_count)
            break;
        fputs(v->edit[i].text, stdout);
        at += v->edit[i].text[0] == '_'; /* which has the parenthesis */
    }
}

/* hash_mix makes every hash 0. */
static void drop_hashes(Vary *v)
{
    static const char mixed[] = "return hash ^ (hash >> 29);";
    char *at = strstr(v->text, mixed);
    if (at)
        memcpy(at, "return 0 & (hash >> 29);   ", sizeof mixed - 1);
}

static int compare_edits(const void *left, const void *right)
{
    const Edit *a = left, *b = right;
    return a->at != b->at ? a->at - b->at : a < b ? -1 : 1;
}

int main(int argc, char **argv)
{
    static Vary v;
    if (argc != 4 || !(v.list = fopen(argv[2], "a"))) {
        fprintf(stderr, "usage: vary FIRST LIST SOURCE > VARIED\n");
        return 64;
    }
    v.number = atoi(argv[1]);
    v.path = argv[3];
    if (!read_source(&v)) {
        fprintf(stderr, "vary: '%s' cannot be read, or is too long\n", v.path);
        return 1;
    }
    mark_code(&v);
    drop_hashes(&v);
    vary_source(&v);
    qsort(v.edit, (size_t)v.edit_count, sizeof *v.edit, compare_edits);
    print_varied(&v);
    fclose(v.list);
    return 0;
}

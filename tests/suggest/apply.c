/* apply.c - does to files what the compiler offers, and holds it to its word: apply [--counts] PLACEC FILE...
 *
 * Of every file the answer of `check --json` is read, each change in it made in the text of the files that it names,
 * and the compiler asked again. What was called proved must be right; what was called accepted must leave one error
 * less, and no other; after what was called maybe the current error must be gone. One change after the other must come
 * to an end. The lines that the help shows in the text form are applied as well, and must come to the same text.
 * --counts: how many there were of each code. Shares no code with the compiler.
 */
#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static int passed, failed, files;
static bool counts;

/* What was offered: by code, of each applicability; and how many diagnostics had nothing to offer. */
typedef struct Offered {
    char code[8];
    int proved, accepted, maybe, nothing;
} Offered;
static Offered offered[200];
static const char *placec;

/* ---- Files and commands ----------------------------------------------------------------------------------------- */

static void *must(void *pointer)
{
    if (pointer == NULL) {
        perror("apply");
        exit(2);
    }
    return pointer;
}

static char *read_stream(FILE *stream)
{
    size_t length = 0, capacity = 1 << 16;
    char *text = must(malloc(capacity));
    for (size_t got; (got = fread(text + length, 1, capacity - length - 1, stream)) > 0;) {
        length += got;
        if (length + 1 == capacity)
            text = must(realloc(text, capacity *= 2));
    }
    text[length] = '\0';
    return text;
}

static char *read_file(const char *path)
{
    FILE *file = must(fopen(path, "rb"));
    char *text = read_stream(file);
    fclose(file);
    return text;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = must(fopen(path, "wb"));
    fputs(text, file);
    fclose(file);
}

/* What `placec check` says of a file, in one of its forms. */
static char *ask(const char *form, const char *path, int *status)
{
    char command[4096];
    snprintf(command, sizeof command, "timeout 60 '%s' check %s '%s' < /dev/null", placec, form, path);
    FILE *stream = must(popen(command, "r"));
    char *text = read_stream(stream);
    int result = pclose(stream);
    *status = WIFEXITED(result) ? WEXITSTATUS(result) : -1;
    return text;
}

static cJSON *ask_json(const char *path, int *status)
{
    char *text = ask("--json 2> /dev/null", path, status);
    cJSON *answer = cJSON_Parse(text);
    if (answer == NULL)
        fprintf(stderr, "apply: %s: no JSON: %.200s\n", path, text);
    free(text);
    return answer;
}

static const char *string_of(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static int number_of(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valueint : -1;
}

/* ---- Doing it --------------------------------------------------------------------------------------------------- */

/* The text of the file with those edits that name it; from the last on, so that offsets stay true. */
static char *edited(const char *path, const cJSON *edits)
{
    char *text = read_file(path);
    for (int i = cJSON_GetArraySize(edits) - 1; i >= 0; i--) {
        const cJSON *edit = cJSON_GetArrayItem(edits, i);
        if (strcmp(string_of(edit, "file"), path) != 0)
            continue;
        size_t start = (size_t)number_of(edit, "start"), end = (size_t)number_of(edit, "end");
        const char *replacement = string_of(edit, "replacement");
        char *whole = must(malloc(strlen(text) + strlen(replacement) + 1));
        sprintf(whole, "%.*s%s%s", (int)start, text, replacement, text + end);
        free(text);
        text = whole;
    }
    return text;
}

/* Makes the change in all files that it names, which are one or two here; `saved` is what they said. */
typedef struct Done {
    int count;
    const char *path[8];
    char *saved[8];
} Done;

static Done make_change(const cJSON *edits)
{
    Done done = {0};
    const cJSON *edit;
    cJSON_ArrayForEach(edit, edits)
    {
        const char *path = string_of(edit, "file");
        bool known = false;
        for (int i = 0; i < done.count; i++)
            known |= strcmp(done.path[i], path) == 0;
        if (known)
            continue;
        done.path[done.count] = path;
        done.saved[done.count++] = read_file(path);
        char *text = edited(path, edits);
        write_file(path, text);
        free(text);
    }
    return done;
}

static void undo(Done *done)
{
    for (int i = 0; i < done->count; i++) {
        write_file(done->path[i], done->saved[i]);
        free(done->saved[i]);
    }
}

/* ---- Judging it ------------------------------------------------------------------------------------------------- */

/* How many diagnostics have this severity, code and message; NULL: any. */
static int count(const cJSON *answer, const char *severity, const char *code, const char *message)
{
    int found = 0;
    const cJSON *d;
    cJSON_ArrayForEach(d, cJSON_GetObjectItemCaseSensitive(answer, "diagnostics"))
    {
        found += (severity == NULL || strcmp(string_of(d, "severity"), severity) == 0) &&
                 (code == NULL || strcmp(string_of(d, "code"), code) == 0) &&
                 (message == NULL || strcmp(string_of(d, "message"), message) == 0);
    }
    return found;
}

/* An error of a code of which there were not as many before. */
static const char *new_code(const cJSON *before, const cJSON *after)
{
    const cJSON *d;
    cJSON_ArrayForEach(d, cJSON_GetObjectItemCaseSensitive(after, "diagnostics"))
    {
        const char *code = string_of(d, "code");
        if (count(after, "error", code, NULL) > count(before, "error", code, NULL))
            return code;
    }
    return NULL;
}

static const char *judge(const char *promise, const cJSON *reported, const cJSON *before, const cJSON *after,
                         int status)
{
    const char *code = string_of(reported, "code"), *message = string_of(reported, "message");
    if (after == NULL)
        return "the answer is no JSON";
    if (count(after, NULL, code, message) >= count(before, NULL, code, message))
        return "the same is reported again";
    if (strcmp(promise, "proved") == 0)
        return status == 0 ? NULL : "it is called proved, and is refused";
    if (strcmp(promise, "accepted") == 0)
        return new_code(before, after) == NULL ? NULL : "it is called accepted, and there is another error";
    return strcmp(promise, "maybe") == 0 ? NULL : "an unknown promise";
}

/* ---- The lines that are printed --------------------------------------------------------------------------------- */

static const char *after_blanks(const char *text)
{
    return text + strspn(text, " ");
}

/* "12 - text" of this file. */
static bool read_line(const char *line, int *number, char *sign, const char **rest)
{
    char *end;
    line = after_blanks(line);
    *number = (int)strtol(line, &end, 10);
    if (end == line || end[0] != ' ' || (end[1] != '-' && end[1] != '+') || end[2] != ' ')
        return false;
    *sign = end[1];
    *rest = end + 3;
    return true;
}

static void add_bytes(char **text, const char *bytes, size_t length)
{
    size_t old = strlen(*text);
    *text = must(realloc(*text, old + length + 1));
    memcpy(*text + old, bytes, length);
    (*text)[old + length] = '\0';
}

/* The file with the printed lines in it; NULL where none are printed. */
static char *with_lines(const char *old, const char *printed)
{
    char *text = must(calloc(1, 1)), sign;
    const char *rest;
    int at = 1, number, first = 0, added = 0;
    char last = '+';
    while (read_line(printed, &number, &sign, &rest)) {
        size_t length = strcspn(rest, "\n");
        if (sign == '-' || last != '+' || number != first + added)
            first = sign == '-' ? number : last == '-' ? first : number, added = 0;
        for (; at < (sign == '-' ? number : first) && *old != '\0' && last == '+'; at++) { /* what stays before it */
            size_t line = strcspn(old, "\n") + 1;
            add_bytes(&text, old, line);
            old += line;
        }
        if (sign == '-') {
            if (strncmp(old, rest, length) != 0)
                break;
            old += strcspn(old, "\n");
            old += *old == '\n';
            at = number + 1;
        } else {
            add_bytes(&text, rest, length);
            add_bytes(&text, "\n", 1);
            added++;
        }
        last = sign;
        printed = rest + length + (rest[length] == '\n');
    }
    add_bytes(&text, old, strlen(old));
    return text;
}

/* Where the help of this text begins its lines; NULL where the text form shows none. */
static const char *find_lines(const char *answer, const char *help, int which)
{
    char head[1024];
    snprintf(head, sizeof head, "= help: %s\n", help);
    for (const char *at = answer; (at = strstr(at, head)) != NULL; at++) {
        int number;
        char sign;
        const char *rest, *lines = at + strlen(head);
        if (which-- == 0)
            return read_line(lines, &number, &sign, &rest) ? lines : NULL;
    }
    return NULL;
}

/* ---- One file --------------------------------------------------------------------------------------------------- */

static void report(const char *path, const cJSON *reported, const cJSON *suggestion, const char *fault)
{
    if (fault == NULL) {
        passed++;
        return;
    }
    failed++;
    printf("FAIL %s:%d: %s: %s (%s): %s\n", path, number_of(reported, "line"), string_of(reported, "code"),
           string_of(suggestion, "text"), string_of(suggestion, "applicability"), fault);
}

static void try_suggestion(const char *path, const cJSON *before, const cJSON *reported, const cJSON *suggestion,
                           const char *lines)
{
    const cJSON *edits = cJSON_GetObjectItemCaseSensitive(suggestion, "edits");
    int status;
    char *old = read_file(path), *printed = lines != NULL ? with_lines(old, lines) : NULL;
    Done done = make_change(edits);
    char *now = read_file(path);
    cJSON *after = ask_json(path, &status);
    report(path, reported, suggestion, judge(string_of(suggestion, "applicability"), reported, before, after, status));
    if (printed != NULL)
        report(path, reported, suggestion, strcmp(printed, now) == 0 ? NULL : "the printed lines say something else");
    undo(&done);
    cJSON_Delete(after);
    free(old);
    free(now);
    free(printed);
}

static void count_offer(const cJSON *reported, const cJSON *suggestion)
{
    Offered *row = offered;
    while (row->code[0] != '\0' && strcmp(row->code, string_of(reported, "code")) != 0)
        row++;
    snprintf(row->code, sizeof row->code, "%s", string_of(reported, "code"));
    const char *promise = string_of(suggestion, "applicability");
    row->proved += strcmp(promise, "proved") == 0;
    row->accepted += strcmp(promise, "accepted") == 0;
    row->maybe += strcmp(promise, "maybe") == 0;
    row->nothing += suggestion == NULL;
}

static int compare_codes(const void *a, const void *b)
{
    return strcmp(((const Offered *)a)->code, ((const Offered *)b)->code);
}

static void print_counts(void)
{
    int rows = 0;
    while (offered[rows].code[0] != '\0')
        rows++;
    qsort(offered, (size_t)rows, sizeof *offered, compare_codes);
    printf("%d programs\n%-6s %8s %8s %8s %8s\n", files, "", "proved", "accepted", "maybe", "nothing");
    for (int i = 0; i < rows; i++)
        printf("%-6s %8d %8d %8d %8d\n", offered[i].code, offered[i].proved, offered[i].accepted, offered[i].maybe,
               offered[i].nothing);
}

/* How many suggestions before this one have its text. */
static int same_before(const cJSON *diagnostics, const cJSON *suggestion)
{
    int same = 0;
    const cJSON *d, *other;
    cJSON_ArrayForEach(d, diagnostics)
    {
        cJSON_ArrayForEach(other, cJSON_GetObjectItemCaseSensitive(d, "suggestions"))
        {
            if (other == suggestion)
                return same;
            same += strcmp(string_of(other, "text"), string_of(suggestion, "text")) == 0;
        }
    }
    return same;
}

/* The first change that is offered, again and again: it must come to an end, and never to a text that was there before.
 */
static void follow(const char *path)
{
    enum { MOST = 16 };
    char *seen[MOST], *first = read_file(path);
    const char *fault = NULL;
    int count = 0;
    for (; count < MOST && fault == NULL; count++) {
        int status;
        cJSON *answer = ask_json(path, &status);
        const cJSON *d, *edits = NULL;
        cJSON_ArrayForEach(d, cJSON_GetObjectItemCaseSensitive(answer, "diagnostics"))
        {
            const cJSON *offers = cJSON_GetObjectItemCaseSensitive(d, "suggestions");
            if (edits == NULL && cJSON_GetArraySize(offers) > 0)
                edits = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(offers, 0), "edits");
        }
        if (edits == NULL || strcmp(string_of(cJSON_GetArrayItem(edits, 0), "file"), path) != 0) {
            cJSON_Delete(answer);
            break;
        }
        seen[count] = read_file(path);
        char *next = edited(path, edits);
        for (int i = 0; i <= count; i++)
            if (strcmp(seen[i], next) == 0)
                fault = "what is offered goes in a cycle";
        write_file(path, next);
        free(next);
        cJSON_Delete(answer);
    }
    if (count == MOST && fault == NULL)
        fault = "what is offered comes to no end";
    for (int i = 0; i < count; i++)
        free(seen[i]);
    write_file(path, first);
    free(first);
    if (count > 0)
        report(path, NULL, NULL, fault);
}

static void try_file(const char *path)
{
    int status;
    cJSON *answer = ask_json(path, &status);
    char *text = ask("--color never --error-limit 0 2>&1 > /dev/null", path, &status);
    const cJSON *diagnostics = cJSON_GetObjectItemCaseSensitive(answer, "diagnostics"), *d, *suggestion;
    cJSON_ArrayForEach(d, diagnostics)
    {
        if (cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(d, "suggestions")) == 0)
            count_offer(d, NULL);
        cJSON_ArrayForEach(suggestion, cJSON_GetObjectItemCaseSensitive(d, "suggestions"))
        {
            count_offer(d, suggestion);
            const char *lines = find_lines(text, string_of(suggestion, "text"), same_before(diagnostics, suggestion));
            try_suggestion(path, answer, d, suggestion, lines);
        }
    }
    free(text);
    cJSON_Delete(answer);
    follow(path);
}

int main(int argc, char **argv)
{
    counts = argc > 1 && strcmp(argv[1], "--counts") == 0;
    if (argc < 3 + counts) {
        fprintf(stderr, "usage: %s [--counts] PLACEC FILE...\n", argv[0]);
        return 64;
    }
    placec = argv[1 + counts];
    for (int i = 2 + counts; i < argc; i++, files++)
        try_file(argv[i]);
    if (counts)
        print_counts();
    printf("%d passed, %d failed, 0 skipped\n", passed, failed);
    return failed > 0;
}

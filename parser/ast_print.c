/* ast_print.c - the text of --dump=ast:
 *
 *     1:1 version
 *       1:7 number 1
 *     4:1 model gpt
 *       4:11 parameter layers
 *         4:20 number 6
 *
 * One node per line: position, kind, its own names and values, then its children, indented.
 */
#include "parser/parser.h"

typedef struct Dump {
    const Sources *sources;
    FILE *out;
    Arena *scratch;
} Dump;

static void put_name(FILE *out, const char *before, AstName name)
{
    if (name.text != NULL)
        fprintf(out, " %s%s", before, name.text);
}

static void put_names(FILE *out, const char *before, AstNames names)
{
    for (int i = 0; i < names.count; i++)
        fprintf(out, "%s%s", i == 0 ? before : ", ", names.data[i].text);
}

/* A string as it would be written in source, so that it stays on one line. */
static void put_string(FILE *out, const char *text)
{
    fputs(" \"", out);
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\')
            fprintf(out, "\\%c", byte);
        else if (byte < 0x20 || byte == 0x7f)
            fprintf(out, "\\x%02x", byte);
        else
            fputc(byte, out);
    }
    fputc('"', out);
}

static const char *moment_word(AstMoment moment)
{
    switch (moment) {
    case AST_MOMENT_UNSAID:
        return "";
    case AST_MOMENT_AT:
        return "at ";
    case AST_MOMENT_EACH:
        return "each ";
    case AST_MOMENT_AFTER:
        return "after ";
    }
    BUG("moment %d", (int)moment);
}

static void put_time(FILE *out, const char *before, const AstTime *time)
{
    if (time->moment != AST_MOMENT_UNSAID)
        fprintf(out, "%s %s%s%s", before, moment_word(time->moment), time->of.text, time->index != NULL ? " #" : "");
}

static void put_number(FILE *out, const Number *number)
{
    fprintf(out, " %s", number->text);
    if (number->measure != MEASURE_NONE)
        fprintf(out, " = %.17g", number->value);
}

/* A node's own names and values, without its children. */
static void put_own(FILE *out, const AstNode *node)
{
    switch (node->kind) {
    case AST_ERROR:
    case AST_INDEX:
    case AST_ANY:
    case AST_RANGE:
    case AST_NEGATE:
    case AST_VERSION:
    case AST_IMPORT:
        return;
    case AST_NAME:
        put_name(out, "", node->name);
        return;
    case AST_NUMBER:
        put_number(out, &node->number);
        return;
    case AST_STRING:
        put_string(out, node->string.text);
        return;
    case AST_MEMBER:
        put_name(out, ".", node->member.name);
        return;
    case AST_CALL:
        put_name(out, "as ", node->call.label);
        return;
    case AST_ARGUMENT:
        put_name(out, "", node->argument.name);
        return;
    case AST_BINARY:
        fprintf(out, " %s", ast_operator_text(node->binary.operator));
        return;
    case AST_REDUCTION:
        put_name(out, "", node->reduction.operation);
        put_names(out, " over ", node->reduction.dims);
        fputs(node->reduction.mask != NULL ? " where" : "", out);
        return;
    case AST_TYPE:
        put_name(out, "", node->type.dtype);
        return;
    case AST_MODEL:
        put_name(out, "", node->model.name);
        return;
    case AST_CLUSTER:
        put_name(out, "", node->cluster.name);
        return;
    case AST_MESH:
        put_name(out, "", node->mesh.name);
        put_name(out, "on ", node->mesh.cluster);
        return;
    case AST_STRATEGY:
        put_name(out, "", node->strategy.name);
        return;
    case AST_MODE:
        put_name(out, "", node->mode.name);
        put_name(out, "over ", node->mode.axis);
        return;
    case AST_STATE:
        put_name(out, "", node->state.name);
        return;
    case AST_TRAIN:
        put_name(out, node->train.serves ? "served " : "", node->train.model);
        put_name(out, "on ", node->train.mesh);
        return;
    case AST_SEARCH:
        put_names(out, " over ", node->search.over);
        return;
    case AST_PARAMETER:
        put_name(out, "", node->parameter.name);
        put_name(out, ": ", node->parameter.type);
        return;
    case AST_AXIS:
        put_name(out, "", node->axis.name);
        return;
    case AST_INPUT:
        put_names(out, " ", node->input.names);
        return;
    case AST_ASSIGN:
        put_name(out, "", node->assign.name);
        return;
    case AST_REPEAT:
        put_name(out, "", node->repeat.name);
        return;
    case AST_PLACEMENT:
        put_name(out, "", node->placement.state);
        put_name(out, "", node->placement.mode);
        put_names(out, " over ", node->placement.axes);
        put_name(out, "by ", node->placement.by);
        put_name(out, "on ", node->placement.tier);
        put_name(out, "kept until ", node->placement.kept);
        put_name(out, "at ", node->placement.at);
        put_name(out, "where ", node->placement.where);
        fputs(node->placement.layers.count > 0 ? " layers #" : "", out);
        fputs(node->placement.chunks != NULL ? " chunks #" : "", out);
        fputs(node->placement.by_of != NULL ? " of #" : "", out);
        fputs(span_known(node->placement.whole) ? " whole" : "", out);
        fputs(span_known(node->placement.in_parts) ? " in parts" : "", out);
        fputs(node->placement.parts.count > 0 ? " of #" : "", out);
        fputs(node->placement.from.count > 0 ? " from #" : "", out);
        put_name(out, "for ", node->placement.computing);
        fputs(node->placement.computed.count > 0 ? " of #" : "", out);
        return;
    case AST_SYNC:
        put_name(out, "", node->sync.target);
        return;
    case AST_CLAUSE:
        put_name(out, "", node->clause.operation);
        put_names(out, " over ", node->clause.axes);
        put_name(out, "into ", node->clause.into);
        put_name(out, "by ", node->clause.by);
        put_name(out, "in ", node->clause.dtype);
        put_time(out, "", &node->clause.time);
        put_time(out, " wait", &node->clause.wait);
        fputs(node->clause.scale != NULL ? " scale #" : "", out);
        fputs(node->clause.when != NULL ? " when #" : "", out);
        fputs(span_known(node->clause.derive_rest) ? " derive the rest" : "", out);
        return;
    case AST_SETTING:
        put_name(out, "", node->setting.key);
        fputs(node->setting.value != NULL ? " :" : "", out);
        return;
    case AST_MARK:
        fprintf(out, " %s", node->mark.text);
        return;
    case AST_KIND_COUNT:
        break;
    }
    BUG("node of kind %d", (int)node->kind);
}

static void print_node(const Dump *dump, const AstNode *node, int indent)
{
    LineColumn at = source_position(dump->sources, node->span.source, node->span.start);
    fprintf(dump->out, "%*s%d:%d %s", 2 * indent, "", at.line, at.column, ast_kind_name(node->kind));
    put_own(dump->out, node);
    fputc('\n', dump->out);
    AstNode **children = arena_array(dump->scratch, AstNode *, ast_children(node, NULL));
    int count = ast_children(node, children);
    for (int i = 0; i < count; i++)
        print_node(dump, children[i], indent + 1);
}

void ast_print(const Ast *ast, FILE *out)
{
    Dump dump = {ast->sources, out, arena_new()};
    for (int i = 0; i < ast->items.count; i++)
        print_node(&dump, ast->items.data[i], 0);
    for (int i = 0; i < ast->comments.count; i++) {
        const AstComment *comment = &ast->comments.data[i];
        LineColumn at = source_position(ast->sources, comment->span.source, comment->span.start);
        fprintf(out, "%d:%d %s comment", at.line, at.column, comment->trailing ? "trailing" : "leading");
        if (comment->owner != NULL) {
            LineColumn owner = source_position(ast->sources, comment->span.source, comment->owner->span.start);
            fprintf(out, " of %d:%d", owner.line, owner.column);
        }
        put_string(out, comment->text);
        fputc('\n', out);
    }
    arena_free(dump.scratch);
}

/* fuzz_parse.c - whatever the bytes, the front end returns a tree and well-formed diagnostics, and what parses is
 * formatted to a text that is its own result.
 *
 * With clang it is a libFuzzer target. Without, `fuzz_parse SECONDS FILE...` mutates the files itself, from a fixed
 * seed, and prints how many inputs it tried; an input that fails is left in fuzz-parse-failure.place.
 */
#include "fmt/fmt.h"
#include "parser/parser.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void check_tree(const AstNode *node, Arena *arena)
{
    AstNode **children = arena_array(arena, AstNode *, ast_children(node, NULL) + 1);
    int count = ast_children(node, children);
    if (node->depth > AST_DEPTH_LIMIT)
        abort();
    for (int i = 0; i < count; i++) {
        if (children[i]->depth >= node->depth)
            abort();
        check_tree(children[i], arena);
    }
}

static void check_format(Ctx *ctx, int source)
{
    size_t length, again_length;
    const char *text = fmt_text(ctx, source, &length);
    if (text == NULL)
        return;
    const char *again = fmt_text(ctx, source_add(ctx->sources, "formatted", text, length), &again_length);
    if (again == NULL || length != again_length || memcmp(text, again, length) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    if (nowhere == NULL)
        nowhere = fopen("/dev/null", "w");
    Arena *arena = arena_new();
    Sources *sources = sources_new(arena);
    Ctx ctx = {.arena = arena, .strings = str_table_new(arena), .sources = sources, .diag = diag_new(arena, sources)};
    int source = source_add(sources, "fuzz", (const char *)data, size);
    Ast *ast = parser_run(&ctx, source);
    for (int i = 0; i < ast->items.count; i++)
        check_tree(ast->items.data[i], arena);
    ast_print(ast, nowhere);
    diag_print_text(ctx.diag, nowhere, true, 20);
    diag_print_json(ctx.diag, nowhere);
    if (diag_error_count(ctx.diag) == 0)
        check_format(&ctx, source);
    arena_free(arena);
    return 0;
}

#ifndef LIBFUZZER
#include <time.h>

enum { MOST_BYTES = 16 * 1024 };

typedef struct Input {
    uint8_t bytes[MOST_BYTES];
    size_t length;
} Input;

/* xorshift64*: the same inputs on every machine. */
static uint64_t random_state = 0x9e3779b97f4a7c15u;

static size_t random_below(size_t limit)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return limit == 0 ? 0 : (size_t)((random_state * 0x2545f4914f6cdd1du) >> 33) % limit;
}

static void replace(Input *input, size_t at, size_t removed, const void *bytes, size_t added)
{
    if (removed > input->length - at)
        removed = input->length - at;
    if (input->length - removed + added > MOST_BYTES)
        return;
    uint8_t copy[MOST_BYTES];
    memcpy(copy, bytes, added); /* `bytes` may lie inside the input */
    memmove(input->bytes + at + added, input->bytes + at + removed, input->length - at - removed);
    memcpy(input->bytes + at, copy, added);
    input->length += added - removed;
}

static void mutate(Input *input)
{
    static const char *const words[] = {
#define TOKEN(KIND, text) text,
#include "lexer/token.def"
#undef TOKEN
        "\n", ";", "\"", "#", "\\", "1 GiB", "0..3", "1e99", "block[*]", "x = f(x) as y\n", "\xff", "\xc3\xa9",
    };
    size_t at = random_below(input->length + 1), length = random_below(20);
    const char *word = words[random_below(sizeof(words) / sizeof(words[0]))];
    uint8_t byte = (uint8_t)random_below(256);
    size_t from = random_below(input->length + 1);
    size_t part = random_below(input->length - from + 1) % 200;
    switch (random_below(5)) {
    case 0:
        replace(input, at, 1, &byte, 1);
        break;
    case 1:
        replace(input, at, length, "", 0);
        break;
    case 2:
        replace(input, at, 0, word, strlen(word));
        break;
    case 3:
        replace(input, at, length, word, strlen(word));
        break;
    case 4:
        replace(input, at, 0, input->bytes + from, part);
        break;
    }
}

static void read_seed(Input *input, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    input->length = fread(input->bytes, 1, sizeof(input->bytes), file);
    fclose(file);
}

/* Before each run, so that a crash leaves what caused it. */
static void keep(const Input *input)
{
    FILE *file = fopen("fuzz-parse-failure.place", "wb");
    if (file == NULL || fwrite(input->bytes, 1, input->length, file) != input->length || fclose(file) != 0) {
        perror("fuzz-parse-failure.place");
        exit(2);
    }
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: fuzz_parse SECONDS FILE...\n");
        return 64;
    }
    time_t end = time(NULL) + strtol(argv[1], NULL, 10);
    static Input seeds[64], input;
    int seed_count = argc - 2 < 64 ? argc - 2 : 64;
    for (int i = 0; i < seed_count; i++)
        read_seed(&seeds[i], argv[i + 2]);
    long tried = 0;
    for (; time(NULL) < end; tried++) {
        input = seeds[random_below((size_t)seed_count)];
        for (size_t i = random_below(8) + 1; i > 0; i--)
            mutate(&input);
        keep(&input);
        LLVMFuzzerTestOneInput(input.bytes, input.length);
    }
    remove("fuzz-parse-failure.place");
    printf("%ld inputs\n", tried);
    return 0;
}
#endif

/* verify_support.h - step programs from templates, and the codes that the verifier answers with.
 *
 * In a template, @n is the size of axis data, @m of axis model, @K the microbatches, @B the batch, @1 .. @9 are the
 * pieces of text that a case puts in.
 */
#ifndef PLACE_TESTS_VERIFY_SUPPORT_H
#define PLACE_TESTS_VERIFY_SUPPORT_H

#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Sizes {
    long n, m, micro, batch;
} Sizes;

typedef struct Answer {
    bool right;
    Verdict verdict;
    char codes[256]; /* "P0301 P0315", in the order of the file; "" where accepted */
    char *text;      /* what a user reads; freed with answer_free */
} Answer;

static inline void template_add(Text *out, const char *template, const Sizes *sizes, const char *const *piece)
{
    for (const char *at = template; *at != '\0'; at++) {
        if (*at != '@' || strchr("nmKLB123456789", at[1]) == NULL || at[1] == '\0') {
            text_add_bytes(out, at, 1);
            continue;
        }
        at++;
        if (*at >= '1' && *at <= '9') {
            if (piece[*at - '1'] != NULL)
                template_add(out, piece[*at - '1'], sizes, piece);
        } else {
            long number = *at == 'n'   ? sizes->n
                          : *at == 'm' ? sizes->m
                          : *at == 'K' ? sizes->micro
                          : *at == 'L' ? sizes->micro - 1
                                       : sizes->batch;
            text_add(out, "%ld", number);
        }
    }
}

static inline Answer verify_text(const char *text, size_t length)
{
    Arena *arena = arena_new();
    Ctx ctx = {.arena = arena, .strings = str_table_new(arena), .sources = sources_new(arena)};
    ctx.diag = diag_new(arena, ctx.sources);
    int source = source_add(ctx.sources, "test.step", text, length);
    Answer answer = {0};
    StepFile *file = step_read(&ctx, source);
    answer.right = file != NULL && verify_run(&ctx, file, &answer.verdict);
    size_t size;
    FILE *stream = open_memstream(&answer.text, &size);
    diag_print_text(ctx.diag, stream, false, 100);
    fclose(stream);
    for (const char *at = answer.text; (at = strstr(at, "error[P")) != NULL; at += 6)
        if (strlen(answer.codes) + 7 < sizeof answer.codes &&
            strstr(answer.codes, (char[]){at[6], at[7], at[8], at[9], at[10], 0}) == NULL) {
            if (answer.codes[0] != '\0')
                strcat(answer.codes, " ");
            strncat(answer.codes, at + 6, 5);
        }
    arena_free(arena);
    return answer;
}

static inline Answer verify_template(const char *template, Sizes sizes, const char *const *piece)
{
    Arena *arena = arena_new();
    Text text = {.arena = arena};
    template_add(&text, template, &sizes, piece);
    Answer answer = verify_text(text.data, text.length);
    if (getenv("VERIFY_SHOW") != NULL)
        printf("%s%s", text.data, answer.text);
    arena_free(arena);
    return answer;
}

/* `expected`: the codes, "" for accepted. */
static inline void check_answer(const char *name, const Sizes *sizes, const Answer *answer, const char *expected)
{
    if (strcmp(answer->codes, expected) == 0 && answer->right == (expected[0] == '\0'))
        return;
    fail_msg("%s (data %ld, model %ld, micro %ld, batch %ld): expected '%s', found '%s'\n%s", name, sizes->n, sizes->m,
             sizes->micro, sizes->batch, expected, answer->codes, answer->text);
}

#endif

/* explain.c - the embedded pages of docs/errors (library/explain.h). */
#include "library/explain.h"

#include "base/diag.h"
#include "explain_text.h"
#include <stddef.h>
#include <string.h>
#include <strings.h>

const char *explain_page(const char *code)
{
    for (size_t i = 0; explain_pages[i].name != NULL; i++)
        if (strcasecmp(code, explain_pages[i].name) == 0)
            return explain_pages[i].text;
    return NULL;
}

const char *explain_suggest(const char *code)
{
    enum { MOST_PAGES = 200 };
    const char *names[MOST_PAGES];
    int count = 0;
    const char *number = code + strspn(code, "Pp0");
    for (size_t i = 0; explain_pages[i].name != NULL && count < MOST_PAGES; i++) {
        names[count++] = explain_pages[i].name;
        if (number[0] != '\0' && strcmp(number, explain_pages[i].name + strspn(explain_pages[i].name, "P0")) == 0)
            return explain_pages[i].name;
    }
    return diag_suggest(code, names, count);
}

#include "driver/explain.h"

#include "explain_text.h"
#include <stddef.h>
#include <strings.h>

bool explain_print(const char *code, FILE *out)
{
    for (size_t i = 0; explain_pages[i].name != NULL; i++) {
        if (strcasecmp(code, explain_pages[i].name) == 0) {
            fputs(explain_pages[i].text, out);
            return true;
        }
    }
    return false;
}

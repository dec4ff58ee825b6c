/* model/text/text_order.c - numbers in names by their value. */
#include "model/text/text_order.h"

int tt_natural_order(const char *a, const char *b)
{
    const char *x = a, *y = b;
    while (*x && *y) {
        size_t nx = strspn(x, "0123456789"), ny = strspn(y, "0123456789");
        if (nx && ny) {
            size_t zx = strspn(x, "0"), zy = strspn(y, "0");
            if (zx > nx) zx = nx;
            if (zy > ny) zy = ny;
            if (nx - zx != ny - zy) return nx - zx < ny - zy ? -1 : 1;
            int c = memcmp(x + zx, y + zy, nx - zx);
            if (c) return c;
            x += nx;
            y += ny;
        } else if (*x != *y) {
            return (unsigned char)*x < (unsigned char)*y ? -1 : 1;
        } else {
            x++;
            y++;
        }
    }
    if (*x || *y) return *x ? 1 : -1;
    return strcmp(a, b);
}

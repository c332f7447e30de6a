// SPDX-License-Identifier: MIT
// Walks a draw list as sdl/render does, and gives every shape to cairo instead of pixels.
// Edges are rounded as they are there: a picture at scale 1 has the PNG's geometry, and
// lines stay sharp where it is shown at its size.
//
// Images become rectangles, one for each run of equal samples: readers of PDF smooth
// images as they like, and a matrix must not be smoothed. Neighbouring rectangles would
// show their seams wherever an edge falls into a pixel, so each reaches under those after
// it.
#include "paper/vector.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <string.h>

#include "paper/numbers.h"
#include "paper/outlines.h"
#include "ui/pixels.h"

static const float largest = 14400; // points: what readers of PDF accept
static const double points_a_pixel = 0.75;

struct vector {
    const struct sheet *sheet;
    struct outlines *outlines;
    cairo_t *cairo;
};

static void set_color(cairo_t *cairo, struct color c)
{
    cairo_set_source_rgba(cairo, c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0);
}

static void add_box(cairo_t *cairo, struct box box, double radius)
{
    double x0 = box.x0, y0 = box.y0, x1 = box.x1, y1 = box.y1;
    double half = fmin(x1 - x0, y1 - y0) / 2, r = fmin(radius, half);
    if (!(r > 0)) {
        cairo_rectangle(cairo, x0, y0, x1 - x0, y1 - y0);
        return;
    }
    cairo_new_sub_path(cairo);
    cairo_arc(cairo, x1 - r, y0 + r, r, -M_PI / 2, 0);
    cairo_arc(cairo, x1 - r, y1 - r, r, 0, M_PI / 2);
    cairo_arc(cairo, x0 + r, y1 - r, r, M_PI / 2, M_PI);
    cairo_arc(cairo, x0 + r, y0 + r, r, M_PI, 3 * M_PI / 2);
    cairo_close_path(cairo);
}

static void draw_fill_cmd(struct vector *vector, const struct draw_cmd *cmd)
{
    float scale = vector->sheet->scale;
    struct box box = pixels_box(cmd->rect, scale);
    if (box.x1 <= box.x0 || box.y1 <= box.y0)
        return;
    set_color(vector->cairo, cmd->color);
    add_box(vector->cairo, box, (double)pixels_radius(cmd->radius, scale));
    cairo_fill(vector->cairo);
}

// A stroke inside the box: what lies between two outlines.
static void draw_frame_cmd(struct vector *vector, const struct draw_cmd *cmd)
{
    float scale = vector->sheet->scale;
    struct box box = pixels_box(cmd->rect, scale);
    int stroke = pixels_stroke(cmd->width, scale);
    int w = box.x1 - box.x0, h = box.y1 - box.y0;
    if (w <= 0 || h <= 0 || stroke < 1)
        return;
    double half = fmin(w, h) / 2;
    double radius = fmin((double)pixels_radius(cmd->radius, scale), half);
    set_color(vector->cairo, cmd->color);
    add_box(vector->cairo, box, radius);
    if (stroke < half)
        add_box(vector->cairo,
                (struct box){box.x0 + stroke, box.y0 + stroke, box.x1 - stroke,
                             box.y1 - stroke},
                fmax(0, radius - stroke));
    cairo_fill(vector->cairo);
}

static struct color sample(const uint8_t *rgba, int at, uint8_t opacity)
{
    const uint8_t *p = rgba + 4 * (size_t)at;
    return (struct color){p[0], p[1], p[2], (uint8_t)(p[3] * opacity / 255)};
}

static bool is_opaque(const uint8_t *rgba, size_t count, uint8_t opacity)
{
    for (size_t i = 0; i < count; i++)
        if (rgba[4 * i + 3] != 255)
            return false;
    return opacity == 255;
}

struct lines { // of samples: where an image lies, in pixels, not rounded
    double x, y, w, h;
};

static struct lines lines_of(const struct draw_cmd *cmd, float scale)
{
    return (struct lines){(double)(cmd->rect.x * scale), (double)(cmd->rect.y * scale),
                          (double)(cmd->rect.w * scale), (double)(cmd->rect.h * scale)};
}

// One line of samples. What is opaque reaches to the right end, under those after it.
static void draw_samples(struct vector *vector, struct lines at, const uint8_t *rgba,
                         int count, uint8_t opacity)
{
    bool opaque = is_opaque(rgba, (size_t)count, opacity);
    for (int first = 0, end = 0; first < count; first = end) {
        for (end = first + 1;
             end < count && !memcmp(rgba + 4 * (size_t)first, rgba + 4 * (size_t)end, 4);)
            end++;
        double left = at.x + at.w * first / count;
        double right = at.x + (opaque ? at.w : at.w * end / count);
        set_color(vector->cairo, sample(rgba, first, opacity));
        cairo_rectangle(vector->cairo, left, at.y, right - left, at.h);
        cairo_fill(vector->cairo);
    }
}

// Whether the next command is an image that goes on below this one.
static bool goes_on(const struct vector *vector, int index)
{
    const struct draw_list *list = vector->sheet->list;
    const struct draw_cmd *mine = &list->cmds[index], *next = mine + 1;
    return index + 1 < list->count && next->kind == DRAW_IMAGE &&
           fabsf(next->rect.y - mine->rect.y - mine->rect.h) < 0.01f &&
           fabsf(next->rect.x - mine->rect.x) < 0.01f && next->rect.w >= mine->rect.w &&
           next->rect.h > 0;
}

static void draw_image_cmd(struct vector *vector, int index)
{
    const struct draw_list *list = vector->sheet->list;
    const struct draw_cmd *cmd = &list->cmds[index];
    const uint8_t *rgba = list->bytes + cmd->offset;
    struct lines all = lines_of(cmd, vector->sheet->scale);
    size_t count = (size_t)cmd->image_w * (size_t)cmd->image_h;
    bool under = is_opaque(rgba, count, cmd->color.a);
    double bottom = all.y + all.h + (under && goes_on(vector, index) ? 0.5 : 0);
    for (int y = 0; y < cmd->image_h; y++) {
        struct lines line = all;
        line.y = all.y + all.h * y / cmd->image_h;
        line.h = under ? bottom - line.y : all.h / cmd->image_h;
        draw_samples(vector, line, rgba + 4 * (size_t)y * (size_t)cmd->image_w,
                     cmd->image_w, cmd->color.a);
    }
}

// The middle is 3 f^2 - 2 f^3 of the way at the height f: a cubic whose two inner points
// stand above and below its ends, at a third of the height each.
static void draw_ribbon_cmd(struct vector *vector, const struct draw_cmd *cmd)
{
    float scale = vector->sheet->scale;
    struct box box = pixels_box(cmd->rect, scale);
    double left = (double)((cmd->rect.x - cmd->width / 2) * scale);
    double from = left + (double)(cmd->from * scale),
           to = left + (double)(cmd->to * scale);
    double w = (double)(cmd->width * scale), third = (box.y1 - box.y0) / 3.0;
    set_color(vector->cairo, cmd->color);
    cairo_move_to(vector->cairo, from, box.y0);
    cairo_curve_to(vector->cairo, from, box.y0 + third, to, box.y1 - third, to, box.y1);
    cairo_line_to(vector->cairo, to + w, box.y1);
    cairo_curve_to(vector->cairo, to + w, box.y1 - third, from + w, box.y0 + third,
                   from + w, box.y0);
    cairo_close_path(vector->cairo);
    cairo_fill(vector->cairo);
}

static void draw_stroke_cmd(struct vector *vector, const struct draw_cmd *cmd)
{
    double scale = (double)vector->sheet->scale, x = (double)cmd->rect.x;
    double margin = (double)(DRAW_STROKE_MARGIN + cmd->width / 2);
    set_color(vector->cairo, cmd->color);
    cairo_set_line_cap(vector->cairo, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_width(vector->cairo, (double)cmd->width * scale);
    cairo_move_to(vector->cairo, (x + margin) * scale,
                  (double)(cmd->rect.y + cmd->from) * scale);
    cairo_line_to(vector->cairo, (x + (double)cmd->rect.w - margin) * scale,
                  (double)(cmd->rect.y + cmd->to) * scale);
    cairo_stroke(vector->cairo);
}

static void set_clip(struct vector *vector, struct rect rect)
{
    cairo_reset_clip(vector->cairo);
    if (rect.w < 0)
        return;
    struct box box = pixels_box(rect, vector->sheet->scale);
    cairo_rectangle(vector->cairo, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
    cairo_clip(vector->cairo);
}

static bool draw_cmd_at(struct vector *vector, int index, struct error *err)
{
    const struct draw_list *list = vector->sheet->list;
    const struct draw_cmd *cmd = &list->cmds[index];
    switch (cmd->kind) {
    case DRAW_FILL:
        draw_fill_cmd(vector, cmd);
        break;
    case DRAW_FRAME:
        draw_frame_cmd(vector, cmd);
        break;
    case DRAW_IMAGE:
        draw_image_cmd(vector, index);
        break;
    case DRAW_RIBBON:
        draw_ribbon_cmd(vector, cmd);
        break;
    case DRAW_STROKE:
        draw_stroke_cmd(vector, cmd);
        break;
    case DRAW_CLIP:
        set_clip(vector, cmd->rect);
        break;
    case DRAW_TEXT:
        return outlines_draw(vector->outlines, vector->cairo, vector->sheet->scale, cmd,
                             (const char *)list->bytes + cmd->offset, err);
    }
    return true;
}

static bool draw_all(struct vector *vector, struct error *err)
{
    set_color(vector->cairo, vector->sheet->ground);
    cairo_paint(vector->cairo);
    cairo_set_fill_rule(vector->cairo, CAIRO_FILL_RULE_EVEN_ODD);
    for (int i = 0; i < vector->sheet->list->count; i++)
        if (!draw_cmd_at(vector, i, err))
            return false;
    return true;
}

static cairo_status_t take_bytes(void *context, const unsigned char *bytes,
                                 unsigned length)
{
    return buf_append(context, (const char *)bytes, length) ? CAIRO_STATUS_SUCCESS
                                                            : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_surface_t *make_surface(bool pdf, double w, double h, struct buf *out)
{
    if (!pdf) {
        cairo_surface_t *surface =
            cairo_svg_surface_create_for_stream(take_bytes, out, w, h);
        cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
        return surface;
    }
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(
        take_bytes, out, w * points_a_pixel, h * points_a_pixel);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                   "2000-01-01T00:00:00Z");
    return surface;
}

bool vector_paint(struct fonts *fonts, const struct sheet *sheet, cairo_t *cairo,
                  struct error *err)
{
    struct vector vector = {sheet, outlines_create(fonts, err), cairo};
    bool ok = vector.outlines && draw_all(&vector, err);
    outlines_destroy(vector.outlines);
    return ok;
}

static bool check(cairo_status_t status, const struct buf *out, struct error *err)
{
    if (status == CAIRO_STATUS_SUCCESS)
        return true;
    if (out->failed || status == CAIRO_STATUS_NO_MEMORY)
        return fail_nomem(err, "the picture");
    return fail_with(err, ERR_IO, "the picture cannot be drawn: %s",
                     cairo_status_to_string(status));
}

bool vector_write(struct fonts *fonts, bool pdf, const struct sheet *sheet,
                  struct buf *out, struct error *err)
{
    float w = roundf(sheet->width * sheet->scale),
          h = roundf(sheet->height * sheet->scale);
    if (!(w >= 1) || !(h >= 1) || w > largest || h > largest)
        return fail_with(err, ERR_LIMIT,
                         "a picture of %.0fx%.0f: at least 1x1 and at most %.0f a side "
                         "are possible",
                         (double)w, (double)h, (double)largest);
    size_t from = out->length;
    cairo_surface_t *surface = make_surface(pdf, (double)w, (double)h, out);
    cairo_t *cairo = cairo_create(surface);
    if (pdf)
        cairo_scale(cairo, points_a_pixel, points_a_pixel);
    bool ok =
        vector_paint(fonts, sheet, cairo, err) && check(cairo_status(cairo), out, err);
    cairo_destroy(cairo);
    cairo_surface_finish(surface);
    ok = ok && check(cairo_surface_status(surface), out, err);
    cairo_surface_destroy(surface);
    return ok && (pdf || numbers_anew(out, from) || fail_nomem(err, "the picture"));
}

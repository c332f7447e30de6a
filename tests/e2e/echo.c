// SPDX-License-Identifier: MIT
// A window that says on stdout what reaches it, as the program under test does: it
// proves that the driver's typing, keys, mouse, sizes and pictures work, whatever
// alphascope does with them.
#include <SDL.h>
#include <stdio.h>

static void print_event(const SDL_Event *event)
{
    switch (event->type) {
    case SDL_TEXTINPUT:
        printf("{\"event\":\"text\",\"text\":\"%s\"}\n", event->text.text);
        break;
    case SDL_KEYDOWN:
        printf("{\"event\":\"key\",\"key\":\"%s\",\"ctrl\":%d}\n",
               SDL_GetKeyName(event->key.keysym.sym),
               (event->key.keysym.mod & KMOD_CTRL) != 0);
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        printf("{\"event\":\"%s\",\"x\":%d,\"y\":%d}\n",
               event->type == SDL_MOUSEBUTTONUP ? "up" : "down", event->button.x,
               event->button.y);
        break;
    case SDL_WINDOWEVENT:
        if (event->window.event == SDL_WINDOWEVENT_SIZE_CHANGED)
            printf("{\"event\":\"size\",\"width\":%d,\"height\":%d}\n",
                   event->window.data1, event->window.data2);
        break;
    default:
        break;
    }
    fflush(stdout);
}

static void paint(SDL_Window *window)
{
    SDL_Surface *surface = SDL_GetWindowSurface(window);
    if (!surface)
        return;
    SDL_FillRect(surface, NULL, SDL_MapRGB(surface->format, 200, 30, 60));
    SDL_UpdateWindowSurface(window);
}

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    SDL_Window *window = NULL;
    if (SDL_Init(SDL_INIT_VIDEO) == 0)
        window = SDL_CreateWindow("echo", 0, 0, 400, 300, SDL_WINDOW_RESIZABLE);
    if (!window) {
        fprintf(stderr, "echo: %s\n", SDL_GetError());
        return 1;
    }
    SDL_StartTextInput();
    paint(window);
    printf("{\"event\":\"ready\"}\n");
    SDL_Event event = {0};
    while (event.type != SDL_QUIT && SDL_WaitEvent(&event)) {
        print_event(&event);
        if (event.type == SDL_WINDOWEVENT)
            paint(window);
    }
    SDL_DestroyWindow(window);
    SDL_Quit();
    return 0;
}

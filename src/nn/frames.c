/* Frames: how many observations a net reads at once, and how old each is. */
#include "net_internal.h"

/* False where the list means nothing: see net.frames. */
static bool read_ages(lu_frames *frames, const double *number, size_t count) {
    bool many = count == 1;
    if (many) {
        frames->count = (int)number[0];
    } else {
        frames->count = count <= LU_MAX_FRAMES ? (int)count : 0;
    }
    bool good = frames->count >= 1 && frames->count <= LU_MAX_FRAMES &&
                (!many || number[0] == (double)frames->count);
    for (int i = 0; i < frames->count && good; i++) {
        frames->age[i] = many ? i : (int)number[i];
        good = many || (number[i] == (double)frames->age[i] &&
                        (i == 0 ? frames->age[0] == 0 : frames->age[i] > frames->age[i - 1]));
    }
    frames->depth = good ? frames->age[frames->count - 1] + 1 : 0;
    return good;
}

lu_frames lu_frames_read(const lu_settings *settings) {
    lu_frames frames = {0};
    const double *number;
    size_t count = lu_settings_list(settings, "net.frames", &number);
    return count > 0 && read_ages(&frames, number, count) ? frames : (lu_frames){0};
}

lu_status net_check_frames(const net_config *config, lu_error *error) {
    if (config->frames.count == 0) {
        return lu_fail(error, LU_BAD_VALUE,
                       "net.frames is a number of frames from 1 to %d, or ages in rising order "
                       "from 0 on, such as 0,2",
                       LU_MAX_FRAMES);
    }
    if (config->frames.count > 1 && config->entity) {
        return lu_fail(error, LU_BAD_VALUE,
                       "net.frames stacks whole rows, but net.encoder=entity reads slots: set "
                       "net.encoder=flat or net.frames=1");
    }
    return LU_OK;
}

const lu_frames *lu_net_frames(const lu_net *net) {
    return &net->config.frames;
}

int lu_net_inputs(const lu_net *net) {
    return net->observation;
}

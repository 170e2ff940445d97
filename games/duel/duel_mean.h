/* Mean damage of one attack by exact enumeration: for tools and for bots that weigh styles. */
#pragma once

#include "duel_gear.h"

LU_C_BEGIN

/* With or without the matching protection of the defender, whose other prayers count as they are;
 * every hit of a special and the bolts are in it, what comes later (poison, bleed, sacrifice) is
 * not. */
double duel_mean(uint32_t live, const duel_blow *blow, const duel_party *by, const duel_party *to,
                 bool shielded);

/* Mean damages of the styles in the exchange, without and with the matching protection: strikes in
 * the style's set against the tank set, no other prayers. A style without a weapon has 0. */
void duel_exchange_means(uint32_t live, const duel_build *by, const duel_build *to,
                         double mean[DUEL_STYLES], double shielded[DUEL_STYLES]);

/* The mix of the exchange in which both sides choose at once, a style and a protection: `mean` and
 * `shielded` are the mean damages of the styles. Fills the chances of the styles for the attacker
 * and of the protections for the defender, which each sum to 1. Styles that the defender need not
 * fear are dropped. Returns the value: mean damage of an exchange. */
double duel_equilibrium(const double mean[DUEL_STYLES], const double shielded[DUEL_STYLES],
                        double attack[DUEL_STYLES], double protect[DUEL_STYLES]);

LU_C_END

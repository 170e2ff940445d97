"""Rewards in Python, from infos and terms, instead of the built-in sum of terms; no C needed.

A calculator has `reset()` and `calculate(info)`, and is given to an environment:

    env = gymnasium.make("ludus/joker-brief-v1", reward=ludus.reward.RewardCalculator())

`RewardCalculator` is the worked example: the rewards of joker's guide, equal to the native ones
(`reward.mode=guide`). Every component is a function of its own here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import floor, log
from typing import Any, Protocol

Info = Mapping[str, Any]


class Calculator(Protocol):
    """Interface: the reward of a step from its infos."""

    def reset(self) -> None:
        """A new episode starts."""

    def calculate(self, info: Info) -> float:
        """The reward of the step that gave these infos."""


class WeightedTerms:
    """The built-in form, to start from: the sum of infos times your own weights."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        """Weights by the names of infos."""
        self.weights = dict(weights)

    def reset(self) -> None:
        """Stateless."""

    def calculate(self, info: Info) -> float:
        """The sum."""
        return float(sum(weight * info[name] for name, weight in self.weights.items()))


# ---- joker: tables, in the guide's own numbers ----

BOSS_DIFFICULTY = (
    0.8, 1.4, 0.9, 1.0, 1.3, 1.1, 1.1, 1.1, 1.1, 1.2, 1.2, 1.1, 1.2, 0.9,
    0.85, 0.95, 1.0, 0.95, 1.1, 1.3, 1.4, 1.0, 1.5, 1.3, 1.1, 1.2, 1.2,
)  # fmt: skip
TAG_VALUE = (
    0.25, 0.4, 0.52, 0.2, 0.25, 0.35, 0.18, 0.3, 0.15, 0.12, 0.2, 0.15, 0.18,
    0.15, 0.2, 0.22, 0.1, 0.15, 0.12, 0.06, 0.2, 0.12, 0.1, 0.08, 0.18,
)  # fmt: skip
TAG_MEAN = 0.1972
HAND_BONUS = (-0.03, -0.01, 0.02, 0.08, 0.11, 0.13, 0.16, 0.24, 0.30, 0.34, 0.30, 0.34, 0.40)
PAIRS, STRAIGHT, FLUSH = range(3)
BUILD_HANDS = ({1, 2, 3, 6, 7, 10, 11, 12}, {4, 8, 9}, {5, 8, 9, 11, 12})
# the environment's bosses and tags in the guide's numbers; 27 is one that it does not have
_GUIDE_BOSS = (
    0, 14, 15, 1, 2, 3, 5, 17, 9, 8, 27, 6, 18, 11, 10, 12, 13, 19, 20, 7, 27, 4, 16, 25, 26, 22, 23, 24,
)  # fmt: skip
_GUIDE_TAG = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 24, 11, 10, 22, 23, 12, 14, 15, 16, 17, 18, 19, 20, 21)
_JOKER_BUILD = {
    1: FLUSH, 2: FLUSH, 3: FLUSH, 4: FLUSH, 5: PAIRS, 6: PAIRS, 8: STRAIGHT, 9: FLUSH, 10: PAIRS,
    11: PAIRS, 13: STRAIGHT, 14: FLUSH, 29: STRAIGHT, 30: FLUSH, 111: PAIRS, 112: PAIRS, 113: PAIRS,
    114: STRAIGHT, 115: FLUSH, 131: STRAIGHT,
}  # fmt: skip
_MULTIPLIERS = {27, 64, 93, 97, 100, 111, 112, 113, 114, 115, 120}
_GROUPS = (
    {1, 57, 85}, {5, 6, 10, 11, 111, 112, 113}, {8, 13, 29, 114, 131}, {9, 14, 30, 115},
    {23, 64, 97, 120, 129}, {45, 46, 47, 48, 88}, {58, 59, 79, 138}, {53, 61, 62, 63}, {68, 118},
)  # fmt: skip
_BOSS_KILLERS = _GROUPS[8]
SELECT, PLAY, DISCARD, SELECT_BLIND, CASH_OUT, BUY, NEXT_ROUND, REROLL, SELL = range(9)
SKIP, USE, VOUCHER, PACK, BUY_AND_USE = 9, 10, 11, 12, 19
_BLIND, _SHOP = 1, 3  # stages


def _clip(x: float, low: float, high: float) -> float:
    return min(max(x, low), high)


def _early(ante: int) -> float:
    return 1.3 if ante <= 2 else 1.1 if ante <= 4 else 1.0 if ante <= 6 else 0.8


def _late(ante: int) -> float:
    return 0.9 if ante <= 2 else 1.0 if ante <= 4 else 1.1 if ante <= 6 else 1.2


def _steps(ante: int) -> float:
    return 1.5 if ante <= 2 else 1.2 if ante <= 4 else 1.0


def _by_pairs(ante: int, values: tuple[float, float, float, float]) -> float:
    return values[(ante - 1) // 2] if 1 <= ante <= 8 else 1.0


def _interest(money: int) -> int:
    return min(floor(money / 5), 5)


def _interest_lost(money: int, cost: int) -> int:
    return max(_interest(money) - _interest(money - cost), 0)


def _share(cost: int, money: int) -> float:
    return min(cost / money, 1.0) if money > 0 else 1.0


def _price(cost: int, money: int) -> float:
    share = _share(cost, money)
    return 0.05 * log(1.0 + 3.0 * share) if share > 0 else 0.0


def _rarity(price: int) -> float:
    return 0.08 if price <= 4 else 0.15 if price <= 6 else 0.25 if price <= 8 else 0.40


# ---- joker: components ----


def play_reward(score_gained: float, required: float, hand_type: int, ante: int, plays_left: int) -> float:
    """A hand that scores, by its share of the target and its type."""
    if required <= 0:
        return 0.02
    if score_gained <= 0:
        return -0.03
    share, pace = score_gained / required, required / 4
    value = 0.02 + (0.12 + 0.05 * log(share) if share >= 1 else 0.12 * share)
    if 0 <= hand_type < len(HAND_BONUS):
        value += HAND_BONUS[hand_type] * (1 + 0.1 * (ante - 1))
    value -= 0.02 if score_gained < 0.3 * pace else 0.01 if score_gained < 0.5 * pace else 0.0
    value += 0.02 * (plays_left - 1) if share >= 1 and plays_left >= 2 else 0.0
    return _clip(value, -0.10, 0.30)


def discard_reward(cards_discarded: int) -> float:
    """The price of a discard."""
    return -0.05 if cards_discarded <= 0 else -0.02


def blind_clear_reward(plays_left: int, blind_type: int, ante: int) -> float:
    """A blind that is beaten, more with each ante."""
    base = 1.3 if blind_type == 2 else 0.3 if blind_type == 1 else 0.2
    return _clip((base + 0.02 * plays_left) * (1 + 0.2 * (ante - 1)), 0.20, 2.50)


def ante_progress_reward(old_ante: int, new_ante: int) -> float:
    """A new ante."""
    if new_ante <= old_ante:
        return 0.0
    old, new = (0.12 * a * a + 0.08 * a if a >= 1 else 0.0 for a in (old_ante, new_ante))
    firsts = ((3, 0.3), (4, 0.4), (5, 0.5), (7, 0.8))
    return new - old + sum(more for at, more in firsts if old_ante < at <= new_ante)


def game_end_reward(game_end: int, ante: int) -> float:
    """The end of the run: won, or lost how late."""
    return 5.0 if game_end == 1 else -2.0 + 1.5 * ante / 8 if game_end == 2 else 0.0


def money_reward(money: int, ante: int) -> float:
    """Interest steps at cash-out."""
    full = max(_interest(money), 0)
    near = 0.015 if full < 5 and (full + 1) * 5 - money <= 2 else 0.0
    return min((0.025 * full + near) * _by_pairs(ante, (1.4, 1.1, 0.8, 0.5)), 0.2)


def joker_buy_reward(
    cost: int,
    money_before: int,
    ante: int,
    joker_count_before: int,
    joker_count_after: int,
    joker_slot_limit: int,
    joker_id: int = -1,
) -> float:
    """A joker that is bought; doubled where its id is given and multiplies."""
    now = joker_count_after
    if now <= joker_count_before:
        return 0.0
    value = _rarity(cost) + (min(0.01 * (cost - 4), 0.05) if cost > 4 else 0.0)
    value *= 2.0 if joker_id in _MULTIPLIERS else 1.0
    if ante <= 3 and now <= 2:
        value *= 1.5 if now == 1 else 3.0
    elif ante <= 4 and now == 3:
        value *= 2.5
    elif ante <= 4 and now <= 4:
        value *= 1.5
    price = 0.0
    if ante > 3:
        price = _price(cost, money_before) + 0.02 * _interest_lost(money_before, cost)
    fill = now / max(joker_slot_limit, 1)
    price += 0.03 * fill if fill > 0.8 else 0.0
    return _clip(value * _early(ante) - price, -0.3, 0.8)


def _tag(tag_id: int) -> float:
    return TAG_VALUE[tag_id] if 0 <= tag_id < len(TAG_VALUE) else TAG_MEAN


def _skip_cost(blind_type: int) -> float:
    return 2.0 if blind_type == 2 else 0.25 if blind_type == 1 else 0.18


def skip_blind_reward(blind_type: int, ante: int, tag_id: int) -> float:
    """The older form, kept for comparison."""
    weights = (0.7, 0.8, 0.9, 1.0, 0.85, 0.7, 0.5, 0.3)
    weight = weights[ante - 1] if 1 <= ante <= 8 else 0.7
    return _clip(_tag(tag_id) * weight - _skip_cost(blind_type), -0.20, 0.25)


def skip_blind_reward_v2(
    blind_type: int, ante: int, tag_id: int, shop_quality: float, joker_count: int, money: int
) -> float:
    """A blind that is skipped: its tag against what the shop would have given."""
    weights = (0.9, 0.95, 1.0, 1.0, 0.9, 0.8, 0.6, 0.4)
    weight = weights[ante - 1] if 1 <= ante <= 8 else 0.8
    n = joker_count
    context = 1.3 if n >= 4 and money < 4 else 0.5 if n <= 1 else 0.7 if n <= 2 and money >= 5 else 1.0
    risk = 0.25 if n <= 1 else 0.15 if n <= 2 else 0.08 if n <= 3 else 0.05 if n <= 4 else 0.0
    cost = _skip_cost(blind_type) + 0.15 * shop_quality * (1 - n / 5) * (1.0 if money >= 5 else 0.3)
    return _clip(_tag(tag_id) * context * weight - cost - risk, -0.25, 0.30)


def reroll_reward(reroll_cost: int, money_before: int, ante: int) -> float:
    """The older form, kept for comparison."""
    if money_before <= 0:
        return -0.1
    value = (-0.02 - 0.03 * _share(reroll_cost, money_before)) * _early(ante)
    return _clip(value - 0.03 * _interest_lost(money_before, reroll_cost), -0.15, 0.0)


def reroll_reward_v2(
    reroll_cost: int,
    money_before: int,
    ante: int,
    shop_quality: float,
    joker_count: int,
    joker_slot_limit: int,
    reroll_count_this_shop: int,
) -> float:
    """A reroll: exploring early, a price later, and more for each further one."""
    if money_before <= 0:
        return -0.1
    if ante <= 3 and joker_count <= 2:
        value = 0.01 + 0.08 * (0.5 - shop_quality)
    else:
        value = -0.02 - 0.03 * _share(reroll_cost, money_before) + 0.04 * (shop_quality - 0.5)
    value -= 0.02 if joker_count / max(joker_slot_limit, 1) >= 0.8 else 0.0
    value -= 0.03 * (reroll_count_this_shop - 2) if reroll_count_this_shop >= 3 else 0.0
    value -= 0.05 if reroll_count_this_shop >= 5 else 0.0
    value = value * _early(ante) - 0.03 * _interest_lost(money_before, reroll_cost)
    return _clip(value, -0.15, 0.05)


def sell_joker_reward(
    money_gained: int, ante: int, joker_count_before: int, joker_slot_limit: int, joker_sold_id: int = -1
) -> float:
    """A joker that is sold."""
    before, slots = joker_count_before, joker_slot_limit
    if before <= 2:
        return -0.5 if before <= 1 else -0.3
    if before <= 3 and ante <= 3:
        return -0.2
    room = 0.05 if before >= slots else 0.0 if before >= slots - 1 else -0.08
    loss = 1.5 * _rarity(2 * money_gained) if joker_sold_id >= 0 else 0.12
    return _clip((room + min(money_gained / 20, 0.05) - loss) * _steps(ante), -0.5, 0.1)


def joker_holding_bonus(joker_count: int, ante: int) -> float:
    """Jokers owned at cash-out."""
    if joker_count <= 0:
        return -0.08 if ante <= 2 else -0.05
    return min(0.015 * joker_count * _steps(ante), 0.08)


def _needed(ante: int) -> int:
    return min(ante, 3) if 1 <= ante <= 8 else 2


def joker_shortage_penalty(joker_count: int, ante: int) -> float:
    """Jokers that an ante asks for and are not there."""
    return -0.03 * max(_needed(ante) - joker_count, 0)


def shop_saving_reward(money: int, joker_count: int, ante: int, best_shop_joker_cost: int) -> float:
    """Money for the best joker on offer, while jokers are missing."""
    if joker_count >= _needed(ante):
        return 0.0
    target = best_shop_joker_cost if best_shop_joker_cost > 0 else 6
    if money >= target:
        return 0.02
    return 0.015 if money >= target - 2 else 0.01 if money >= target // 2 else 0.005


def boss_clear_difficulty_bonus(boss_blind_id: int, plays_left: int) -> float:
    """A hard boss that is beaten."""
    if boss_blind_id < 0:
        return 0.0
    difficulty = BOSS_DIFFICULTY[boss_blind_id] if boss_blind_id < len(BOSS_DIFFICULTY) else 1.0
    if difficulty <= 0.8:
        return 0.0
    return _clip((difficulty - 0.8) * 0.2 * (1 + 0.05 * plays_left), 0.0, 0.15)


def consumable_use_reward(ante: int, consumable_id: int = -1) -> float:
    """A consumable that is used: Tarot, Planet or Spectral."""
    kind = consumable_id
    value = 0.12 if kind < 0 else 0.10 if kind < 22 else 0.12 if kind < 34 else 0.18
    return _clip(_late(ante) * value, 0.0, 0.25)


def voucher_buy_reward(cost: int, money_before: int, ante: int) -> float:
    """A voucher that is bought."""
    value = 0.15 * _by_pairs(ante, (1.4, 1.2, 1.0, 0.7))
    return _clip(value - 1.2 * _price(cost, money_before), -0.25, 0.3)


def blind_progress_signal(
    score_before: float, score_after: float, blind_target: float, plays_left: int, total_plays: int
) -> float:
    """Coming closer to the target."""
    if blind_target <= 0 or score_after <= score_before:
        return 0.0
    before, now = score_before / blind_target, score_after / blind_target
    pace = max(total_plays - plays_left, 0) / max(total_plays, 1)
    value = 0.03 * (now - before) + (0.01 if before < 0.8 <= now else 0.0)
    return min(value + (0.005 if now > pace + 0.2 else 0.0), 0.05)


def hand_setup_reward(prev_hand: int, new_hand: int, had_discard: bool) -> float:
    """A better hand after a discard."""
    better = new_hand - prev_hand
    if not had_discard or prev_hand < 0 or new_hand < 0 or better == 0:
        return 0.0
    if better < 0:
        return -0.01
    return 0.02 if better <= 2 else 0.04 if better <= 4 else 0.06 + min(0.01 * (better - 5), 0.02)


def potential_change_reward(
    old_flush: float,
    new_flush: float,
    old_straight: float,
    new_straight: float,
    old_pairs: float,
    new_pairs: float,
) -> float:
    """What a discard does for flushes, straights and pairs."""
    changes = (new_flush - old_flush, new_straight - old_straight, new_pairs - old_pairs)
    return 0.1 * (0.40 * changes[0] + 0.35 * changes[1] + 0.25 * changes[2])


def joker_synergy_reward(joker_ids: list[int], dominant_build: int = -1, boss_blind_id: int = -1) -> float:
    """The older form over a list of jokers, kept for comparison."""
    owned = set(joker_ids)
    if not owned:
        return 0.0
    value = sum(0.02 * (len(group & owned) - 1) for group in _GROUPS if len(group & owned) >= 2)
    aligned = sum(_JOKER_BUILD.get(one, -1) == dominant_build >= 0 for one in joker_ids)
    value += 0.02 * (aligned - 1) if aligned >= 2 else 0.0
    value += 0.02 * len(_BOSS_KILLERS & owned) if boss_blind_id >= 0 else 0.0
    return _clip(value, 0.0, 0.12)


def hand_type_targeting_reward(hand_type: int, joker_ids: list[int]) -> float:
    """Jokers that want the hand that was played, kept for comparison."""
    builds = [build for build in range(3) if hand_type in BUILD_HANDS[build]]
    owned = [_JOKER_BUILD.get(one, -1) for one in joker_ids]
    value = 0.02 * owned.count(builds[0]) if builds else 0.0
    value += 0.04 if hand_type >= 8 and STRAIGHT in owned and FLUSH in owned else 0.0
    return _clip(value, 0.0, 0.10)


# ---- joker: a step ----

_DEFAULTS = {
    "ante": 1, "blind_type": -1, "last_action_type": -1, "joker_slot_limit": 5, "hand_type": -1,
    "tag_id": -1, "consumable_id": -1, "joker_sold_id": -1, "boss_blind_id": -1, "shop_quality_score": 0.5,
}  # fmt: skip


@dataclass
class RewardCalculator:
    """The guide's reward of a step of joker, from two successive info records.

    `guide_ids`: bosses and tags are given by the guide's ids, not the environment's.
    `parts` has the components of the last step by name, `total` their sum over the episode.
    """

    guide_ids: bool = False
    parts: dict[str, float] = field(default_factory=dict)
    total: float = 0.0

    def __post_init__(self) -> None:
        """Ready for an episode."""
        self.reset()

    def reset(self) -> None:
        """A new episode starts; everything remembered is cleared."""
        self._was: dict[str, Any] | None = None
        self._hands, self._builds = 0, [0, 0, 0]
        self._forget()
        self.parts, self.total = {}, 0.0

    def _forget(self) -> None:
        self._discards, self._hand = 0, -1
        self._potentials = (0.0, 0.0, 0.0)

    def _record(self, info: Info) -> dict[str, Any]:
        record = {**_DEFAULTS, **info}
        if not self.guide_ids:
            boss, tag = int(record["boss_blind_id"]), int(record["tag_id"])
            record["boss_blind_id"] = _GUIDE_BOSS[boss] if 0 <= boss < len(_GUIDE_BOSS) else boss
            record["tag_id"] = _GUIDE_TAG[tag] if 0 <= tag < len(_GUIDE_TAG) else tag
        record["hand_type"] = record["hand_type"] if record["hand_type"] < len(HAND_BONUS) else -1
        return record

    def calculate(self, info_dict: Info) -> float:
        """The reward of the step that gave this record."""
        now = _Record(self._record(info_dict))
        was = None if self._was is None else _Record(self._was)
        parts: dict[str, float] = {}
        if now.game_end:
            parts["game_end_reward"] = game_end_reward(int(now.game_end), int(now.ante))
        elif now.blind_cleared:
            parts.update(self._cleared(now))
        else:
            action = int(now.last_action_type)
            if action == PLAY:
                parts.update(self._play(was, now))
            elif action == DISCARD:
                parts.update(self._discard(was, now))
            elif action == CASH_OUT:
                parts.update(self._cash(now))
            else:
                parts.update(_shop(action, was, now))
        parts.update(_always(now))
        self._was = now.values
        self.parts = parts
        reward = float(sum(parts.values()))
        self.total += reward
        return reward

    def _build(self) -> tuple[int, float]:
        """The build that 60% of at least five hands belong to, and its share; -1 is none."""
        best = max(range(3), key=lambda build: self._builds[build])
        share = self._builds[best] / self._hands if self._hands else 0.0
        return (best if self._hands >= 5 and share >= 0.6 else -1), share

    def _play(self, was: _Record | None, now: _Record) -> dict[str, float]:
        parts: dict[str, float] = {}
        hand = int(now.hand_type)
        if now.score_delta > 0:
            parts["play_reward"] = play_reward(
                now.score_delta, now.blind_target, hand, now.ante, now.plays_left
            )
            parts["joker_contribution_reward"] = 0.08 * (
                0.2 * now.joker_chip_contrib + 0.3 * now.joker_mult_contrib + 0.5 * now.joker_xmult_contrib
            )
            more = now.score_efficiency - 1
            parts["score_efficiency_reward"] = (
                0.06 * min(more, 1.0) if now.blind_target > 0 and more > 0 else 0.0
            )
        if was is not None:
            parts["blind_progress_signal"] = blind_progress_signal(
                was.chips, now.chips, now.blind_target, now.plays_left, max(was.plays_left + 1, 1)
            )
        if hand >= 0:
            self._hands += 1
            self._builds = [n + (hand in BUILD_HANDS[b]) for b, n in enumerate(self._builds)]
        build, _ = self._build()
        if build >= 0 and hand in BUILD_HANDS[build]:
            parts["build_match"] = 0.05 if hand >= 8 else 0.03
        parts["play_cap"] = min(0.5 - sum(parts.values()), 0.0)
        self._forget()
        return parts

    def _discard(self, was: _Record | None, now: _Record) -> dict[str, float]:
        parts = {"discard_reward": discard_reward(int(now.cards_discarded))}
        self._discards += 1
        if self._hand < 0 and was is not None:
            self._hand = int(was.hand_type)
            self._potentials = was.potentials()
        fresh = now.potentials()
        if self._discards <= 2:
            parts["hand_setup_reward"] = hand_setup_reward(
                self._hand, int(now.hand_type), now.cards_discarded > 0
            )
            pairs = [one for both in zip(self._potentials, fresh, strict=True) for one in both]
            parts["potential_change_reward"] = potential_change_reward(*pairs)
        else:
            parts["discard_loop"] = -0.02 * (self._discards - 2)
        self._hand, self._potentials = int(now.hand_type), fresh
        return parts

    def _cleared(self, now: _Record) -> dict[str, float]:
        blind = int(now.blind_type)
        parts = {"blind_clear_reward": blind_clear_reward(now.plays_left, blind, now.ante)}
        if blind == 2:
            boss = int(now.boss_blind_id)
            parts["boss_clear_difficulty_bonus"] = boss_clear_difficulty_bonus(boss, now.plays_left)
        elif blind == 1:
            parts["boss_preparation"] = 0.08 if now.money >= 10 else 0.04 if now.money >= 6 else 0.0
        self._forget()
        return parts

    def _cash(self, now: _Record) -> dict[str, float]:
        parts = {
            "money_reward": money_reward(now.money, now.ante),
            "joker_holding_bonus": joker_holding_bonus(now.joker_count, now.ante),
        }
        build, share = self._build()
        if now.joker_count >= 3 and build >= 0:
            value = 0.02 * min(now.joker_count - 2, 3) * share
            parts["joker_synergy_reward"] = _clip(value, 0.0, 0.08)
        return parts


class _Record:
    """An info record by attributes; what it lacks is 0."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values

    def __getattr__(self, name: str) -> Any:
        return self.values.get(name, 0)

    def potentials(self) -> tuple[float, float, float]:
        return (self.flush_potential, self.straight_potential, self.pairs_potential)


def _shop(action: int, was: _Record | None, now: _Record) -> dict[str, float]:
    """The parts of actions outside of a blind."""
    cost, paid = now.last_action_cost, now.money_delta < 0
    if action == NEXT_ROUND:
        return {"ante_progress_reward": ante_progress_reward(was.ante, now.ante) if was else 0.0}
    if action == SKIP:
        value = skip_blind_reward_v2(
            now.blind_type, now.ante, now.tag_id, now.shop_quality_score, now.joker_count, now.money
        )
        return {"skip_blind_reward": value}
    if action in (USE, BUY_AND_USE):
        return {"consumable_use_reward": consumable_use_reward(now.ante, now.consumable_id)}
    if action == BUY and was is not None:
        if now.joker_count <= was.joker_count:
            return {"joker_buy_reward": -0.05}
        if paid:
            counts = (was.joker_count, now.joker_count, now.joker_slot_limit)
            return {"joker_buy_reward": joker_buy_reward(cost, was.money, now.ante, *counts)}
    if action == SELL and was is not None:
        value = sell_joker_reward(
            now.money_delta, now.ante, was.joker_count, now.joker_slot_limit, now.joker_sold_id
        )
        return {"sell_joker_reward": value}
    if action == REROLL:
        value = reroll_reward_v2(
            cost,
            was.money if was else now.money,
            now.ante,
            now.shop_quality_score,
            now.joker_count,
            now.joker_slot_limit,
            now.reroll_count_this_shop,
        )
        return {"reroll_reward": value}
    if action == VOUCHER:
        if was is not None and cost > 0 and paid:
            return {"voucher_buy_reward": voucher_buy_reward(cost, was.money, now.ante)}
        return {"voucher_buy_reward": -0.05} if cost == 0 else {}
    if action == PACK:
        return {"pack": 0.05 if cost > 0 and paid else -0.03 if cost == 0 else 0.0}
    return {}


def _always(now: _Record) -> dict[str, float]:
    """What is added whatever the action was."""
    parts: dict[str, float] = {}
    laid = now.last_action_type in (PLAY, DISCARD)
    happened = (
        now.score_delta
        or now.money_delta
        or now.cards_played
        or now.cards_discarded
        or now.blind_cleared
        or now.game_end
    )
    if (laid or now.last_action_type == SELECT) and not happened:
        parts["no_op"] = -0.03
    if now.stage == _SHOP:
        parts["joker_shortage_penalty"] = joker_shortage_penalty(now.joker_count, now.ante)
        parts["shop_saving_reward"] = shop_saving_reward(
            now.money, now.joker_count, now.ante, now.best_shop_joker_cost
        )
    if laid and now.stage == _BLIND and now.blind_type == 2:
        parts["boss_action"] = 0.0001
    return parts

"""Draws a text board as a picture, with a 5 x 7 pixel font made for this project."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

# one letter per row of five points, in base 32, the leftmost point counting most
_GLYPHS = """
! 4444004  " aaa0000  # aavavaa  $ 4fke5u4  % op248j3  & cik8lid  ' 4480000  ( 2488842  ) 8422248
* 04lel40  + 044v440  , 0000c48  - 000v000  . 00000cc  / 01248g0  : 0cc0cc0  ; 0cc0c48  < 248g842
= 00v0v00  > 8421248  ? eh12404  @ eh1dlle  [ e88888e  \\ 0g84210  ] e22222e  ^ 4ah0000  _ 000000v
` 8420000  { 2448442  | 4444444  } 8442448  ~ 008l200
0 ehjlphe  1 4c4444e  2 eh1248v  3 v2421he  4 26aiv22  5 vgu11he  6 68guhhe  7 v124888  8 ehhehhe
9 ehhf12c
A ehhvhhh  B uhhuhhu  C ehggghe  D uhhhhhu  E vgguggv  F vgguggg  G ehgnhhf  H hhhvhhh  I e44444e
J 72222ic  K hikokih  L ggggggv  M hrllhhh  N hpljhhh  O ehhhhhe  P uhhuggg  Q ehhhlid  R uhhukih
S fgge11u  T v444444  U hhhhhhe  V hhhhha4  W hhhllla  X hha4ahh  Y hha4444  Z v1248gv
a 00e1fhf  b ggmphhu  c 00egghe  d 11djhhf  e 00ehvge  f 698s888  g 0fhhf1e  h ggmphhh  i 40c444e
j 20622ic  k ggikoki  l c44444e  m 00qllhh  n 00mphhh  o 00ehhhe  p 00uhugg  q 00djf11  r 00mpggg
s 00ege1u  t 88s8896  u 00hhhjd  v 00hhha4  w 00hhlla  x 00ha4ah  y 00hhf1e  z 00v248v
"""
_CELL = (9, 6)  # points of a letter with its gaps: height, width
_COLUMNS, _LINES = 80, 18  # no board is larger
_INK, _PAPER = 220, 16


@lru_cache(maxsize=1)
def _font() -> npt.NDArray[np.uint8]:
    font = np.zeros((128, *_CELL), np.uint8)
    font[:, 1:8, :5] = 1  # a letter that is not drawn is a block
    font[32] = 0
    words = _GLYPHS.split()
    for letter, rows in zip(words[::2], words[1::2], strict=True):
        for y, row in enumerate(rows):
            bits = int(row, 32)
            font[ord(letter), 1 + y, :5] = [bits >> (4 - x) & 1 for x in range(5)]
    return font


def picture(text: str, scale: int = 1) -> npt.NDArray[np.uint8]:
    """The text as an image of 80 columns and 18 lines: height x width x 3, light on dark."""
    cells = np.full((_LINES, _COLUMNS), 32, np.uint8)
    for y, line in enumerate(text.splitlines()[:_LINES]):
        codes = [min(ord(letter), 127) for letter in line[:_COLUMNS]]
        cells[y, : len(codes)] = codes
    points = _font()[cells].transpose(0, 2, 1, 3).reshape(_LINES * _CELL[0], _COLUMNS * _CELL[1])
    if scale > 1:
        points = points.repeat(scale, 0).repeat(scale, 1)
    shade = np.where(points > 0, _INK, _PAPER).astype(np.uint8)
    return np.repeat(shade[:, :, None], 3, axis=2)

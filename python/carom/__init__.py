# SPDX-License-Identifier: Apache-2.0
"""Carom: what happens when rigid bodies strike each other with friction.

`carom.plot` draws the records that the command `carom` writes. It needs NumPy and matplotlib only.
"""

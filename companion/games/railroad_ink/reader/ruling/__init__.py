"""The ruling on a picture of a board: the most probable position that the rules allow.

    slots = SlotProbabilities.of(sheet).settled(answers)
    ruling = rule(BoardContext.of(state, seat), slots)      # from .rule

A round is searched for as a whole: every way to use the dice of an expansion (``dice_uses``), with each the
routes of the other dice (``turn_search``), in an order that the rules allow (``order``). What a round costs
is its negative log-likelihood by all slots (``likelihood``), by what people note beside their drawing
(``bookkeeping``) and a prior; ``handwriting`` adapts the slots to the hand. A board about which nothing else
is known is searched for along a frontier (``board_search``); signs that nobody reads are left to one question
(``remaining``).
"""

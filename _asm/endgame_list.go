package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// moveList lists moves. Its registers: own and opp are the discs in all lanes, square is that of the move, and place its row
// in the tables of the last squares; flips, t and u change from block to block.
type moveList struct {
	*last
	own, opp             VecVirtual
	to                   record    // the next move of the list
	held                 GPVirtual // engine.ordered's masks of held corners
	square, place, flips GPVirtual
	next, order          GPVirtual // the other side's discs behind the move; the move's place in the order
	wiped, best, sum     GPVirtual // results
	most, child          GPVirtual // the best order so far; the number of the move
	t, u                 GPVirtual
}

// list writes a kernel that expands a position, and lists its moves in the order of their squares.
func (k *last) list() {
	kernel("listMoves"+k.suffix,
		"func(to, held, tables, first *uint64, mask, own, opp, moves, odd, parity, mobility uint64) (wiped, best, sum uint64)",
		"lists moves as listPlain does, and fetches the buckets of the boards behind them. It returns",
		"whether a move turns over all of opp, the first move in order, and the sum of the buckets' numbers.")
	k.tables = record{structOf("lastTables"), arg("tables")}
	l := moveList{last: k, to: record{structOf("move"), arg("to")}, held: arg("held")}
	moves := arg("moves")
	l.wiped, l.best, l.most, l.sum, l.child = GP64(), GP64(), GP64(), GP64(), GP64()
	l.own, l.opp = YMM(), YMM()
	spread("own", l.own)
	spread("opp", l.opp)
	k.constants()
	for _, r := range []GPVirtual{l.wiped, l.best, l.sum, l.child} {
		XORQ(r, r)
	}
	MOVQ(I64(-1<<31), l.most)
	Label("child")
	l.square, l.place, l.flips, l.t, l.u = GP64(), GP64(), GP64(), GP64(), GP64()
	TZCNTQ(moves, l.square)
	MOVQ(l.square, l.place)
	k.rowAt(l.place)
	flips := k.flips(l.own, l.opp, l.place, "")
	VMOVQ(flips.AsX(), l.flips)
	MOVQ(l.flips, l.to.at("flips"))
	MOVB(l.square.As8(), l.to.at("square"))
	MOVB(l.child.As8(), l.to.at("child"))
	l.fetch()
	l.orderByCorners()
	l.orderByParity()
	l.orderByReplies(flips)
	ADDQ(Imm(uint64(l.to.size())), l.to.base)
	INCQ(l.child)
	BLSRQ(moves, moves)
	JNZ(LabelRef("child"))
	Store(l.wiped, Return("wiped"))
	Store(l.best, Return("best"))
	Store(l.sum, Return("sum"))
	end()
}

// fetch plays the move and fetches the bucket of the board behind it. The hash is that of table.number. It comes first, since
// memory answers while the other blocks work.
func (l *moveList) fetch() {
	Comment("The bucket")
	l.next = Load(Param("own"), GP64()).(GPVirtual)
	XORQ(l.flips, l.next)
	BTSQ(l.square, l.next)
	Load(Param("opp"), l.t)
	CMPQ(l.flips, l.t)
	CMOVQEQ(l.t, l.wiped)
	XORQ(l.t, l.flips)
	MOVQ(U64(0x9e3779b97f4a7c15), l.u)
	IMULQ(l.next, l.u)
	XORQ(l.u, l.flips)
	MOVQ(U64(0xbf58476d1ce4e5b9), l.t)
	IMULQ(l.t, l.flips)
	MOVQ(l.flips, l.t)
	SHRQ(Imm(32), l.flips)
	XORQ(l.flips, l.t)
	Load(Param("mask"), l.u)
	ANDQ(l.u, l.t)
	ADDQ(l.t, l.sum)
	SHLQ(Imm(6), l.t)
	Load(Param("first"), l.u)
	PREFETCHT0(Mem{Base: l.u, Index: l.t, Scale: 1})
}

// orderByCorners begins the order with the worth of the square, and with the discs that corners make stable: a multiplication
// gathers the four corners in the number of their mask.
func (l *moveList) orderByCorners() {
	Comment("Discs that corners make stable")
	l.order = GP64()
	MOVQ(U64(boardCorners), l.u)
	ANDQ(l.next, l.u)
	MOVQ(U64(1<<60|1<<54|1<<6|1), l.t)
	IMULQ(l.t, l.u)
	SHRQ(Imm(60), l.u)
	MOVQ(Mem{Base: l.held, Index: l.u, Scale: 8}, l.u)
	ANDQ(l.next, l.u)
	POPCNTQ(l.u, l.u)
	Load(Param("mobility"), l.t)
	SHRQ(Imm(4), l.t)
	IMULQ(l.t, l.u)
	tables := record{typ: structOf("ordered")}
	worth := tables.offset("worth") - tables.offset("held")
	MOVLQSX(Mem{Base: l.held, Index: l.square, Scale: 4, Disp: worth}, l.order)
	ADDQ(l.u, l.order)
}

// orderByParity prefers squares in quarters with an odd number of empty ones: the mask of the bit selects the preference.
func (l *moveList) orderByParity() {
	Comment("Parity")
	Load(Param("odd"), l.t)
	BTQ(l.square, l.t)
	SBBQ(l.t, l.t)
	Load(Param("parity"), l.u)
	ANDQ(l.u, l.t)
	ADDQ(l.t, l.order)
}

// orderByReplies finds the replies, prefers moves with few of them, and keeps the first move in order.
func (l *moveList) orderByReplies(flips VecVirtual) {
	Comment("Replies, corners twice")
	mine, theirs := YMM(), YMM()
	VPXOR(flips, l.opp, mine)
	VPBROADCASTQ(l.row(l.place, "bit"), theirs)
	VPOR(flips, theirs, theirs)
	VPXOR(l.own, theirs, theirs)
	replies := l.moves(mine, theirs)
	Load(Param("own"), l.t)
	Load(Param("opp"), l.u)
	ORQ(l.u, l.t)
	BTSQ(l.square, l.t)
	ANDNQ(replies, l.t, l.t)
	MOVQ(l.t, l.to.at("replies"))
	MOVQ(U64(boardCorners), l.u)
	ANDQ(l.t, l.u)
	POPCNTQ(l.t, l.t)
	POPCNTQ(l.u, l.u)
	ADDQ(l.u, l.t)
	Load(Param("mobility"), l.u)
	IMULQ(l.u, l.t)
	SUBQ(l.t, l.order)
	MOVL(l.order.As32(), l.to.at("order"))
	CMPQ(l.order, l.most)
	CMOVQGT(l.child, l.best)
	CMOVQGT(l.order, l.most)
}

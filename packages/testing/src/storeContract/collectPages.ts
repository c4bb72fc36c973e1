/** Reads all pages of rows that are sealed under another key, two rows at a time. */
import * as Effect from "effect/Effect"
import { assert } from "vitest"

export const collectPages = Effect.fnUntraced(function* <Row>(
  page: (keyId: string, after: Row | undefined, limit: number) => Effect.Effect<ReadonlyArray<Row>>,
  keyId: string
): Effect.fn.Return<ReadonlyArray<Row>> {
  const all: Array<Row> = []
  while (true) {
    const rows = yield* page(keyId, all.at(-1), 2)
    assert.isAtMost(rows.length, 2)
    all.push(...rows)
    if (rows.length < 2) return all
  }
})

/** Lists the cases of a test without a body parser of the host, and with each of them, by what the test says of them. */
import type { Parser, ParserKind } from "./HostHarness.ts"

export const listParserCases = (
  parsers: ReadonlyArray<ParserKind>,
  positions: ReadonlyArray<Parser["position"]> = ["before", "after"]
): ReadonlyArray<readonly [name: string, parser: Parser | undefined]> => [
  ["without the host's body parser", undefined],
  ...parsers.flatMap((kind) =>
    positions.map(
      (position) => [`${position} the ${kind} parser of the host`, { kind, position }] as const
    )
  )
]

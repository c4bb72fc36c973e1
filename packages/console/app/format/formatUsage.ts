/** What requests used, in the units that they are sold by. */
import { formatCompact, formatCount, formatMillis, unknown } from "./format.ts"

/** Null and 0: not of this unit. */
interface Units {
  readonly characters: number | null
  readonly audio_seconds: number | null
  readonly output_images: number | null
}

/** Units that are no tokens, in the order of their columns. */
export const units: ReadonlyArray<{
  readonly title: string
  readonly count: (usage: Units) => number
  readonly format: (count: number) => string
}> = [
  {
    title: "Characters",
    count: ({ characters }) => characters ?? 0,
    format: (count) => `${formatCompact(count)} characters`
  },
  {
    title: "Audio",
    count: ({ audio_seconds: seconds }) => seconds ?? 0,
    format: (seconds) => formatMillis(seconds * 1_000)
  },
  {
    title: "Images",
    count: ({ output_images: images }) => images ?? 0,
    format: (count) => `${formatCount(count)} ${count === 1 ? "image" : "images"}`
  }
]

/** Tokens in and out, unless it used other units alone, and those. */
export const formatUsage = (
  usage: (Units & { readonly tokens_prompt: number; readonly tokens_completion: number }) | null
): string => {
  if (usage === null) return unknown
  const { tokens_completion: out, tokens_prompt: prompt } = usage
  const others = units.flatMap(({ count, format }) =>
    count(usage) === 0 ? [] : [format(count(usage))]
  )
  const tokens = `${formatCount(prompt)} + ${formatCount(out)}`
  return (prompt + out > 0 || others.length === 0 ? [tokens, ...others] : others).join(", ")
}

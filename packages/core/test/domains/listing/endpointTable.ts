/** Reads the reference table of providers and models into endpoints as a host configures them. */
import type { EndpointConfig } from "../../../src/engine/catalog/endpoint/Endpoint.ts"
import type { PriceList } from "../../../src/engine/catalog/endpoint/PriceList.ts"

/** USD per million tokens. */
interface Cost {
  readonly input: number
  readonly output: number
  readonly cache_read?: number
  readonly cache_write?: number
  readonly reasoning?: number
  readonly input_audio?: number
  readonly output_audio?: number
}

/** A line of the table. */
export interface TableRow {
  readonly provider: string
  readonly model_id: string
  readonly cost: Cost | null
  readonly limit: { readonly context: number; readonly output: number; readonly input?: number }
  readonly tool_call: boolean
  readonly structured_output: boolean | null
  readonly status: string | null
}

/** By base model. */
export type EndpointTable = Readonly<Record<string, ReadonlyArray<TableRow>>>

/** A variant distinguishes the second endpoint of a provider. */
export const toEndpointConfigs = (lines: ReadonlyArray<TableRow>): ReadonlyArray<EndpointConfig> =>
  lines.map((line, place) => {
    const earlier = lines.slice(0, place).filter(({ provider }) => provider === line.provider)
    return toEndpointConfig(line, earlier.length === 0 ? undefined : `v${earlier.length + 1}`)
  })

const toEndpointConfig = (line: TableRow, variant: string | undefined): EndpointConfig => ({
  provider: line.provider,
  ...(variant === undefined ? undefined : { variant }),
  model: line.model_id,
  price: line.cost === null ? {} : toPrice(line.cost),
  ...toLimits(line.limit),
  supportedParameters: [
    ...(line.tool_call ? ["tools", "tool_choice"] : []),
    ...(line.structured_output === true ? ["structured_outputs"] : [])
  ]
})

/** 0 means unknown in the table. */
const toLimits = ({ context, input = 0, output }: TableRow["limit"]) => ({
  ...(context === 0 ? undefined : { contextLength: context }),
  ...(output === 0 ? undefined : { maxCompletionTokens: output }),
  ...(input === 0 ? undefined : { maxPromptTokens: input })
})

const parts = {
  prompt: "input",
  completion: "output",
  input_cache_read: "cache_read",
  input_cache_write: "cache_write",
  internal_reasoning: "reasoning",
  audio: "input_audio",
  audio_output: "output_audio"
} as const satisfies Partial<Record<keyof PriceList, keyof Cost>>

const toPrice = (cost: Cost): PriceList =>
  Object.fromEntries(
    Object.entries(parts).flatMap(([part, name]) => {
      const price = cost[name]
      return price === undefined ? [] : [[part, toPerToken(price)]]
    })
  )

/**
 * Moves the decimal point in the text, so that 0.435 per million is exactly 0.000000435 per token.
 */
const toPerToken = (perMillion: number): string => {
  const [whole = "", fraction = ""] = String(perMillion).split(".")
  const digits = whole.padStart(7, "0")
  return `${digits.slice(0, -6)}.${digits.slice(-6)}${fraction}`.replace(/\.?0+$/, "")
}

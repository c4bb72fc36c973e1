/** What the figures of requests are broken down by. */
import { tagKeyPattern } from "./Tags.ts"

/**
 * `endpoint` and `provider` count attempts, so that a failed attempt belongs to the endpoint that failed; all others count
 * requests. `outcome` is `answered` or the tag of the error. `model` is the one that answered, else the requested one.
 * `user` is the acting user, `external_user` the `user` of the request. `preset` is the id of the preset that the request named.
 */
export const dimensions = [
  "total",
  "outcome",
  "operation",
  "model",
  "provider",
  "endpoint",
  "workspace",
  "key",
  "user",
  "external_user",
  "preset"
] as const
/** The dimensions that every request counts to; to `preset`, those that name one. */
export type NamedDimension = (typeof dimensions)[number]

/** The values of one tag, such as `tag:customer`, of the requests that have it. */
export type TagDimension = `tag:${string}`

/**
 * Each is a series of its own. `workspace,model` and the like are the values of two at once, of the requests that have
 * both: `Settings.rollupPairs`.
 */
export type Dimension = NamedDimension | TagDimension | PairDimension

/** A property of the caller, by model; or the workspaces by user, which instances with customers keep. */
export type PairDimension = `${PairedDimension},model` | typeof workspaceUsers

/** Each user in each workspace. */
export const workspaceUsers = "workspace,user"

const pairedNames = ["workspace", "key", "user", "external_user"] as const
type PairedDimension = (typeof pairedNames)[number] | TagDimension

/** A value of a dimension; null for requests without one, such as requests without a key. */
export type DimensionValue = string | null

const tagPrefix = "tag:"
const pairedWithModel = ",model"

/** The dimension of a tag. */
export const toTagDimension = (key: string): TagDimension => `${tagPrefix}${key}`

/** Whether it is a dimension of a tag, which a bucket has a bounded number of. */
export const isTagDimension = (dimension: Dimension): dimension is TagDimension =>
  dimension.startsWith(tagPrefix) && !dimension.includes(",")

/** Whether its values are pairs. */
export const isPairDimension = (dimension: Dimension): dimension is PairDimension =>
  dimension.includes(",")

/** Reads `model`, `tag:customer` or `tag:customer,model`; undefined if it is none of them. */
export const parseDimension = (text: string): Dimension | undefined => {
  const named = dimensions.find((name) => name === text)
  if (named !== undefined) return named
  if (text === workspaceUsers) return workspaceUsers
  const [first = "", second, ...rest] = text.split(",")
  const single = pairedNames.find((name) => name === first) ?? parseTagDimension(first)
  if (single === undefined || rest.length > 0) return undefined
  if (second === undefined) return single
  return second === "model" ? `${single},model` : undefined
}

const parseTagDimension = (text: string): TagDimension | undefined =>
  text.startsWith(tagPrefix) && tagKeyPattern.test(text.slice(tagPrefix.length))
    ? `${tagPrefix}${text.slice(tagPrefix.length)}`
    : undefined

/** The key of the tag in a pair with a tag. */
export const getPairedTag = (pair: PairDimension): string =>
  pair.slice(tagPrefix.length, -pairedWithModel.length)

/** The value of a pair as JSON; `second` is a model, or a user. */
export const toPairValue = (first: string, second: string): string =>
  JSON.stringify([first, second])

/** What `toPairValue` wrote. */
export const fromPairValue = (value: string): readonly [first: string, second: string] =>
  JSON.parse(value)

/** How the values of all pairs with this one begin. */
export const toPairPrefix = (first: string): string => `[${JSON.stringify(first)},`

/** The length that values are truncated to. */
export const maxValueCharacters = 256

/** What a host tells requests apart by: up to 8 pairs of its own, such as `customer: "acme"`. */
import * as Schema from "effect/Schema"
import { isMaxCharacters, isPlainText } from "./validation/text.ts"

/** Pairs of one caller. */
export const maxTags = 8

/**
 * Keys are as long as those of OpenAI's metadata (https://platform.openai.com/docs/api-reference/metadata). They have
 * neither colons nor commas, so that `customer:acme` and `tag:customer,model` have one reading.
 */
export const tagKeyPattern = /^[A-Za-z0-9_.-]{1,64}$/

const maxTagCharacters = 256

/** The value of a tag: 1 to 256 characters of plain text. */
const TagValue = Schema.NonEmptyString.check(isMaxCharacters(maxTagCharacters), isPlainText)

/** Whether a text may be the value of a tag. */
export const isTagValue = Schema.is(TagValue)

/** Up to 8 pairs; keys have 1 to 64 letters, digits and `_.-`, values 1 to 256 characters of plain text. */
export const Tags = Schema.Record(Schema.String, TagValue).check(
  Schema.makeFilter((tags: Readonly<Record<string, string>>) => {
    const keys = Object.keys(tags)
    if (keys.length > maxTags) return `must have at most ${maxTags} tags, got ${keys.length}`
    const wrong = keys.find((key) => !tagKeyPattern.test(key))
    return wrong === undefined
      ? undefined
      : { path: [wrong], issue: "a tag's name must have 1 to 64 letters, digits, and _ . -" }
  })
)
/** The tags of a caller, by their keys. */
export type Tags = typeof StoredTags.Type

/** Tags that have been checked. */
export const StoredTags = Schema.Record(Schema.String, Schema.String)

/** A tag as filters write it, such as `customer:acme`; the value may have colons. */
export const parseTag = (
  text: string
): { readonly key: string; readonly value: string } | undefined => {
  const [, key, value] = /^([^:]*):(.+)$/s.exec(text) ?? []
  return key === undefined || value === undefined || !tagKeyPattern.test(key) || !isTagValue(value)
    ? undefined
    : { key, value }
}

/** The value under a key, which may be `__proto__`. */
export const getTag = (tags: Tags | undefined, key: string): string | undefined =>
  tags !== undefined && Object.hasOwn(tags, key) ? tags[key] : undefined

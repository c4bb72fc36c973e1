/** The request bodies of interns. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { isMaxCharacters } from "../../values/validation/text.ts"

/** Starts with a letter, so that it is a valid start of a hostname. */
const InternName = Schema.String.check(
  Schema.isMinLength(2),
  Schema.isMaxLength(17),
  Schema.isPattern(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, {
    expected: "lower-case letters, digits and single hyphens between them, a letter first"
  })
)

const Description = Schema.NullOr(Schema.String.check(isMaxCharacters(2_000)))
const Instructions = Schema.NullOr(Schema.String.check(isMaxCharacters(100_000)))

const InternModel = Schema.NullOr(
  Schema.String.check(
    Schema.isMaxLength(200),
    Schema.isPattern(/^[^\s/:]+\/[^\s/:]+(:[^\s/:]+)?$/, {
      expected: "author/slug with an optional :variant"
    })
  )
)

/** An intern to create, such as `{ name: "ada", provision: true }`. */
export const NewIntern = Schema.Struct({
  name: InternName,
  description: Schema.optionalKey(Description),
  instructions: Schema.optionalKey(Instructions),
  /** Default: false. */
  provision: Schema.optionalKey(Schema.Boolean),
  /** The private vault of another intern of the workspace. */
  vault_id: Schema.optionalKey(Schema.String)
})
export type NewIntern = typeof NewIntern.Type

/** Omitted fields stay unchanged; null clears. `instructions` and `model` take effect at the next provision. */
export const InternPatch = Schema.Struct({
  name: InternName,
  description: Description,
  instructions: Instructions,
  model: InternModel
}).mapFields(Struct.map(Schema.optionalKey))
export type InternPatch = typeof InternPatch.Type

/** Parameters that name tags and dimensions of figures. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import {
  type Dimension,
  dimensions,
  parseDimension,
  workspaceUsers
} from "../../values/Dimension.ts"
import { parseTag } from "../../values/Tags.ts"
import { type Parameter, parseOne, quote, toParameter } from "../contract/ParameterRule.ts"

/** One tag, such as `customer:acme`, as in https://docs.datadoghq.com/getting_started/tagging/. */
export const tagParameter = (description: string): Parameter<string> =>
  Schema.optionalKey(
    toParameter(Schema.String, {
      parse: parseOne((text) =>
        parseTag(text) === undefined
          ? Result.fail(
              `must be the name and the value of a tag, such as customer:acme; got ${quote(text)}`
            )
          : Result.succeed(text)
      ),
      jsonSchema: { type: "string", pattern: "^[A-Za-z0-9_.-]{1,64}:.+$", description }
    })
  )

const DimensionName = Schema.declare(
  (value: unknown): value is Dimension =>
    typeof value === "string" && parseDimension(value) !== undefined
)

/** A dimension by its name, a tag such as `tag:customer`, or a pair such as `workspace,model`. */
export const dimensionParameter = (description: string): Parameter<Dimension> =>
  Schema.optionalKey(
    toParameter(DimensionName, {
      parse: parseOne((text) => {
        const dimension = parseDimension(text)
        return dimension === undefined
          ? Result.fail(
              `must be one of ${dimensions.join(", ")}, a tag such as tag:customer, or a pair such as workspace,model; got ${quote(text)}`
            )
          : Result.succeed(dimension)
      }),
      jsonSchema: { type: "string", pattern: dimensionPattern, description }
    })
  )

const tagName = "tag:[A-Za-z0-9_.-]{1,64}"
const dimensionPattern = `^(${dimensions.join("|")}|${tagName}|(workspace|key|user|external_user|${tagName}),model|${workspaceUsers})$`

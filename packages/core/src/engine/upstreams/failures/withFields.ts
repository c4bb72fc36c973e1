/** Copies a failure with other values of some fields. */
import * as Struct from "effect/Struct"
import { UpstreamFailure } from "./UpstreamFailure.ts"

export const withFields = (
  failure: UpstreamFailure,
  changes: Partial<Pick<UpstreamFailure, FieldName>>
): UpstreamFailure => new UpstreamFailure({ ...Struct.pick(failure, fieldNames), ...changes })

type FieldName = keyof typeof UpstreamFailure.fields

const fieldNames = Struct.keys(UpstreamFailure.fields)

/** Reads and keeps fields of untrusted JSON. */
import type { Extra } from "../../conversation/Dialect.ts"
import { isEmpty } from "../UntranslatableRequest.ts"

export type Json = Readonly<Record<string, unknown>>

export const findText = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined

export const findNonEmptyText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

export const findNumber = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined

export const findBoolean = (value: unknown): boolean | undefined =>
  typeof value === "boolean" ? value : undefined

export const findIndex = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined

/** Fields that only this dialect has; none: no `extra`. */
export const toExtra = (fields: Json): { readonly extra?: Extra } =>
  isEmpty(fields) ? {} : { extra: { dialect: "responses", fields } }

/** The extra fields of this dialect; those of other dialects are not written. */
export const getExtraFields = ({ extra }: { readonly extra?: Extra }): Json =>
  extra?.dialect === "responses" ? extra.fields : none

const none: Json = {}

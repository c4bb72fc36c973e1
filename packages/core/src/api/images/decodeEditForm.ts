/** Decodes an edit of images that is a form, as clients of OpenAI's API send it. */
import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import { decodeEditRequest } from "../../domains/images/parseEditRequest.ts"
import type { ParsedImages } from "../../domains/images/parseImageRequest.ts"
import type { ParseOptions, ParseResult } from "../../routing/parseRequest.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { parseJson } from "../../values/json/parseJson.ts"
import { setOwn } from "../../values/ownFields.ts"
import type { Form, FormFile } from "../body/FormReader.ts"
import { readImageFile } from "../../domains/images/imageFile.ts"

/**
 * The files `image`, `image[]` and `images[]` are images to edit, in their order, and `mask` is a mask. Texts are values of
 * fields; those of numbers, booleans and objects are JSON.
 */
export const decodeEditForm = (form: Form, options: ParseOptions): ParseResult<ParsedImages> => {
  const body: Record<string, unknown> = {}
  const images: Array<string> = []
  for (const { name, value } of form.fields) {
    const field = toFieldName(name)
    if (field === "image" || field === "images") images.push(value)
    else setOwn(body, field, parseField(field, value, options))
  }
  for (const file of form.files) {
    const field = toFieldName(file.name)
    const address = toAddress(file)
    if (address === undefined) return failFile(file, "must be an image in PNG, JPEG, WebP or GIF")
    if (field === "image" || field === "images") images.push(address)
    else if (field === "mask") setOwn(body, "mask", address)
    else return failFile(file, "is no file of an edit; there are image and mask")
  }
  return decodeEditRequest(images.length === 0 ? body : { ...body, image: images }, options)
}

const failFile = ({ name }: FormFile, problem: string): Result.Result<never, InvalidRequest> =>
  Result.fail(new InvalidRequest({ path: [name], problem }))

/** Clients mark repeated fields by brackets. */
const toFieldName = (name: string): string => name.replace(/\[\d*\]$/, "")

/** Fields that are no texts in JSON. */
const jsonFields: ReadonlySet<string> = new Set([
  "n",
  "output_compression",
  "partial_images",
  "provider",
  "seed",
  "stream",
  "trace"
])

/** What is no JSON stays a text, which the check of the field refuses. */
const parseField = (name: string, value: string, { settings }: ParseOptions): unknown => {
  if (!jsonFields.has(name)) return value
  const json = parseJson(value, settings.maxJsonDepth)
  return Result.isSuccess(json) ? json.success : value
}

/** The kind of a file is what its bytes say: clients send images as `application/octet-stream`, too. */
const toAddress = ({ bytes, contentType }: FormFile): string | undefined => {
  const base64 = Base64.encode(bytes)
  const { mediaType = contentType } = readImageFile(base64)
  return mediaType.startsWith("image/") ? `data:${mediaType};base64,${base64}` : undefined
}

/** Whether a model can make what a request asks for: one rule per field, each naming it and what it may be. */
import * as Result from "effect/Result"
import type { ModelCard } from "../catalog/ModelCard.ts"
import type { VideoCapabilities } from "../catalog/VideoCapabilities.ts"
import { InvalidRequest } from "../values/RequestErrors.ts"
import {
  type Dimensions,
  dimensionsOf,
  isOfRatio,
  isOfResolution,
  ratios,
  resolutions
} from "./dimensions.ts"
import type { VideoRequest } from "./VideoRequest.ts"

export interface Maker {
  readonly capabilities: VideoCapabilities
  readonly inputs: ModelCard["architecture"]["input_modalities"]
}

/** How large the video becomes; fails with the first field the model cannot follow. */
export const checkVideoRequest = (
  request: VideoRequest,
  { capabilities, inputs }: Maker
): Result.Result<Dimensions, InvalidRequest> => {
  const problem = problems(request, capabilities, inputs).find(({ said }) => said !== undefined)
  if (problem?.said !== undefined) {
    return Result.fail(new InvalidRequest({ path: problem.path, problem: problem.said }))
  }
  return dimensionsOf(request, capabilities)
}

interface Problem {
  readonly path: ReadonlyArray<string | number>
  readonly said: string | undefined
}

const problems = (
  request: VideoRequest,
  capabilities: VideoCapabilities,
  inputs: Maker["inputs"]
): ReadonlyArray<Problem> => [
  { path: ["prompt"], said: promptProblem(request, inputs) },
  {
    path: ["aspect_ratio"],
    said: notAmong(request.aspect_ratio, capabilities.supported_aspect_ratios ?? ratios)
  },
  {
    path: ["resolution"],
    said: notAmong(request.resolution, capabilities.supported_resolutions ?? resolutions)
  },
  { path: ["size"], said: sizeProblem(request.size, capabilities) },
  { path: ["duration"], said: notAmong(request.duration, capabilities.supported_durations) },
  ...frameProblems(request, capabilities.supported_frame_images),
  {
    path: ["generate_audio"],
    said:
      request.generate_audio === true && capabilities.generate_audio === false
        ? "the model makes no sound"
        : undefined
  },
  { path: ["creativity"], said: creativityProblem(request.creativity, capabilities.creativity) },
  {
    path: ["upscale_factor"],
    said: factorProblem(request.upscale_factor, capabilities.upscale_factor)
  }
]

const promptProblem = (
  { frame_images, input_references, previous_job_id, prompt }: VideoRequest,
  inputs: Maker["inputs"]
): string | undefined => {
  if (prompt !== undefined) return undefined
  if (inputs.includes("text")) return "is required by this model"
  const given = (frame_images?.length ?? 0) + (input_references?.length ?? 0)
  return given > 0 || previous_job_id !== undefined
    ? undefined
    : "or frame_images or input_references are required: there is nothing to make a video of"
}

const notAmong = <A extends string | number>(
  value: A | undefined,
  supported: ReadonlyArray<A> | null
): string | undefined =>
  value === undefined || supported === null || supported.includes(value)
    ? undefined
    : `${value} is not supported by this model; it supports ${listed(supported)}`

/** A model that lists no sizes is asked by its resolutions and ratios: a size outside them is another video. */
const sizeProblem = (
  size: string | undefined,
  {
    supported_aspect_ratios: ratios,
    supported_resolutions: resolutions,
    supported_sizes: sizes
  }: VideoCapabilities
): string | undefined => {
  if (size === undefined || sizes !== null) return notAmong(size, sizes)
  if (ratios?.some((ratio) => isOfRatio(size, ratio)) === false) {
    return `${size} has none of the aspect ratios this model supports: ${listed(ratios)}`
  }
  if (resolutions?.some((resolution) => isOfResolution(size, resolution)) === false) {
    return `${size} has none of the resolutions this model supports: ${listed(resolutions)}`
  }
  return undefined
}

const frameProblems = (
  { frame_images = [] }: VideoRequest,
  supported: ReadonlyArray<string> | null
): ReadonlyArray<Problem> =>
  frame_images.map(({ frame_type }, index) => ({
    path: ["frame_images", index, "frame_type"],
    said: frame_images.slice(0, index).some((other) => other.frame_type === frame_type)
      ? `there are two images for the ${frame_type}`
      : notAmong(frame_type, supported)
  }))

const creativityProblem = (
  creativity: number | undefined,
  supported: VideoCapabilities["creativity"]
): string | undefined =>
  creativity !== undefined && supported === null ? onlyUpscalers : notAmong(creativity, supported)

const factorProblem = (
  factor: number | undefined,
  range: VideoCapabilities["upscale_factor"]
): string | undefined => {
  if (factor === undefined) return undefined
  if (range === null) return onlyUpscalers
  const { max, min } = range
  return (min != null && factor < min) || (max != null && factor > max)
    ? `${factor} is not supported by this model; it supports ${min ?? 0} to ${max ?? "any"}`
    : undefined
}

const onlyUpscalers = "is for models that upscale videos; this one does not"

const listed = (supported: ReadonlyArray<string | number>): string =>
  supported.length === 0 ? "none" : supported.join(", ")

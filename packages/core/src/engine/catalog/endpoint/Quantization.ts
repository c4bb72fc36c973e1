/** How far an endpoint compresses the weights of a model. */
import * as Schema from "effect/Schema"

export const Quantization = Schema.Literals([
  "int4",
  "int8",
  "fp4",
  "mxfp4",
  "nvfp4",
  "fp6",
  "fp8",
  "mxfp8",
  "fp16",
  "bf16",
  "fp32",
  "unknown"
])
export type Quantization = typeof Quantization.Type

/** The levels a requested level stands for: `fp4` covers mxfp4 and nvfp4, `fp8` covers mxfp8. */
export const matchesQuantization = (requested: string, actual: Quantization): boolean =>
  requested === actual ||
  (requested === "fp4" && (actual === "mxfp4" || actual === "nvfp4")) ||
  (requested === "fp8" && actual === "mxfp8")

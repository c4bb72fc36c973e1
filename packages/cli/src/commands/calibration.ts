/** `signalbox calibration`: how well calibrated the Decisions of a running instance are. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CalibrationResponse } from "../calibration/CalibrationReport.ts"
import { renderCalibrationHtml, renderCalibrationText } from "../calibration/renderCalibration.ts"
import { getJson } from "../instance/askInstance.ts"
import { instanceFlags, resolveInstance } from "../instance/instanceFlags.ts"
import { printPage } from "../output/printReport.ts"
import { htmlFlag, jsonFlag } from "../output/reportFlags.ts"
import { label } from "./label.ts"

export const calibration = Command.make(
  "calibration",
  {
    ...instanceFlags,
    model: Flag.String("model").pipe(
      Flag.withDescription("Only maps of this model"),
      Flag.optional
    ),
    kind: Flag.Literals("kind", ["noul", "choice", "score"]).pipe(
      Flag.withDescription("Only maps of questions of this kind"),
      Flag.optional
    ),
    question: Flag.String("question").pipe(
      Flag.withDescription("Only the map of this question, by its key in routing metadata"),
      Flag.optional
    ),
    html: htmlFlag,
    json: jsonFlag
  },
  Effect.fnUntraced(function* (flags) {
    const instance = yield* resolveInstance(flags)
    const { data } = yield* getJson(
      instance,
      "/signalbox/calibration",
      {
        model: Option.getOrUndefined(flags.model),
        kind: Option.getOrUndefined(flags.kind),
        question: Option.getOrUndefined(flags.question)
      },
      CalibrationResponse
    )
    yield* printPage(
      {
        text: () => renderCalibrationText(data.maps),
        json: () => data,
        html: () => renderCalibrationHtml(data.maps)
      },
      flags
    )
  })
).pipe(
  Command.withDescription("Report how well calibrated the Decisions of a running instance are."),
  Command.withExamples([
    {
      command:
        "signalbox calibration --url https://example.com/ai --kind choice --html calibration.html",
      description: "A table, and a page with reliability diagrams"
    }
  ]),
  Command.withSubcommands([label])
)

/** Screens one request by the guardrails of its caller. */
import * as Effect from "effect/Effect"
import { type Detection, type Detector, noDetections } from "../../engine/filters/Detector.ts"
import type { ContentFilter } from "../../engine/filters/FilterRule.ts"
import { type Screening, screen } from "../../engine/filters/screen.ts"
import { TextSlots } from "../../engine/filters/TextSlot.ts"
import type { LimitExceeded } from "../../engine/ledger/LedgerErrors.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { Guardrail } from "../../tenants/guardrails/Guardrail.ts"
import { evaluate } from "../../values/eager.ts"
import { AnswerScreen } from "./AnswerScreen.ts"
import { compileFilters, type CompiledFilters } from "./compileFilters.ts"
import type { Screenable, ScreenedTexts } from "./ContentFilters.ts"
import type { FilterReport } from "./FilterReport.ts"
import { findBlock, toFound, toStages } from "./reportHits.ts"
import { type CheckOptions, type CheckResults, type ChecksOutcome, runChecks } from "./runChecks.ts"

interface ScreenInput<Parsed> {
  readonly asking: CheckOptions
  readonly effective: ReadonlyArray<Guardrail>
  readonly parsed: Parsed
  readonly texts: ScreenedTexts<Parsed>
}

/** The texts of a request are searched at once, and only checks of the host are waited for. */
export const screenRequest = <Parsed extends Screenable>({
  asking,
  effective,
  parsed,
  texts
}: ScreenInput<Parsed>): Effect.Effect<Parsed> => {
  const compiled = compileFilters(effective)
  const slots = new TextSlots()
  texts.addTexts(parsed, slots)
  const finish = (outcome: ChecksOutcome | undefined): Parsed => {
    const filters =
      outcome === undefined
        ? compiled.prompts
        : compiled.prompts.map((each) => withResults(each, outcome.results))
    const screening = screen(slots.slots, filters)
    const filtered = toReport(screening, compiled, asking.caller, effective, outcome?.unpaid)
    if (filtered === undefined) return parsed
    const { edits } = screening
    return { ...(edits === undefined ? parsed : texts.edit(parsed, edits)), filtered }
  }
  const needed = compiled.prompts
    .map(({ name }) => name)
    .filter((name) => compiled.checks.includes(name))
  return needed.length === 0
    ? evaluate(() => Effect.succeed(finish(undefined)))
    : Effect.map(runChecks(needed, slots.slots, asking), finish)
}

/** What a check found joins what detectors find. */
const withResults = (filter: ContentFilter, results: CheckResults): ContentFilter => {
  const found = results.get(filter.name)
  if (found === undefined) return filter
  const detect: Detector = (text): ReadonlyArray<Detection> => found.get(text) ?? noDetections
  return { ...filter, detect }
}

const toReport = (
  { hits, placeholders }: Screening,
  { answers }: CompiledFilters,
  caller: Caller,
  effective: ReadonlyArray<Guardrail>,
  unpaid: LimitExceeded | undefined
): FilterReport | undefined => {
  const hasAnswers = answers.length > 0 || !placeholders.isEmpty
  if (hits.length === 0 && !hasAnswers && unpaid === undefined) return undefined
  const blocked = findBlock(hits) ?? unpaid
  const stages = [...toStages(hits, caller, effective)]
  const found = [...toFound(hits)]
  return {
    stages,
    found,
    ...(blocked === undefined ? undefined : { blocked }),
    ...(hasAnswers
      ? {
          answers: new AnswerScreen({
            filters: answers,
            placeholders,
            report: (more) => {
              if (more.length === 0) return
              stages.push(...toStages(more, caller, effective))
              found.push(...toFound(more))
            }
          })
        }
      : undefined)
  }
}

/** Rules about models: the lists of guardrails, and `enforce_distillable_text`. */
import type { Candidate } from "../../Candidate.ts"
import type { DialectNeed } from "../../Requirements.ts"
import type { Constraint } from "../../restrictions/Constraint.ts"
import { type HardRule, makeAllowRule, makeIgnoreRule, requestSource } from "./HardRule.ts"

const describe = ({ endpoint }: Candidate): string => endpoint.model

export const makeModelRules = ({
  ignoreModels,
  onlyModels,
  source
}: Constraint): ReadonlyArray<HardRule> => {
  const rules: Array<HardRule> = []
  if (onlyModels !== undefined) {
    const isListed = makeModelMatcher(onlyModels)
    rules.push(
      makeAllowRule({ rule: "allowed_models", source, names: onlyModels, isListed, describe })
    )
  }
  if (ignoreModels !== undefined && ignoreModels.length > 0) {
    const isListed = makeModelMatcher(ignoreModels)
    rules.push(
      makeIgnoreRule({ rule: "ignored_models", source, names: ignoreModels, isListed, describe })
    )
  }
  return rules
}

/** A provider that may answer with a model of its own choice may choose one that a guardrail forbids. */
export const makeModelChoiceRules = (
  { ignoreModels = [], onlyModels, source }: Constraint,
  { dialect, path }: DialectNeed
): ReadonlyArray<HardRule> =>
  onlyModels === undefined && ignoreModels.length === 0
    ? []
    : [
        {
          rule: onlyModels === undefined ? "ignored_models" : "allowed_models",
          source,
          wanted: `a request without ${path}, by which the provider chooses a model`,
          findViolation: ({ dialect: spoken = "chat" }) => (spoken === dialect ? path : undefined)
        }
      ]

const makeModelMatcher = (slugs: ReadonlyArray<string>): ((candidate: Candidate) => boolean) => {
  const isListed = makeSlugMatcher(slugs)
  return ({ canonicalModel, endpoint: { model } }) =>
    isListed(model) || (canonicalModel !== undefined && isListed(canonicalModel))
}

/**
 * Matches any name of a model, ignoring case; a base slug includes its variants (`author/name:free`), and `author/*` all
 * models of an author.
 */
export const makeSlugMatcher = (
  slugs: ReadonlyArray<string>
): ((...ofModel: ReadonlyArray<string>) => boolean) => {
  const names = new Set<string>()
  const authors = new Set<string>()
  for (const slug of slugs) {
    const name = slug.toLowerCase()
    if (name.endsWith(anyName)) authors.add(name.slice(0, -1))
    else names.add(name)
  }
  return (...ofModel) =>
    ofModel.some((slug) => {
      const name = slug.toLowerCase()
      return hasModel(names, name) || (authors.size > 0 && authors.has(toAuthorPrefix(name)))
    })
}

/** Ends a slug that means all models of its author. */
const anyName = "/*"

/** Such as `openai/`. */
const toAuthorPrefix = (slug: string): string => slug.slice(0, slug.indexOf("/") + 1)

const hasModel = (names: ReadonlySet<string>, slug: string): boolean => {
  if (names.has(slug)) return true
  const colon = slug.lastIndexOf(":")
  return colon > 0 && names.has(slug.slice(0, colon))
}

export const distillableRule: HardRule = {
  rule: "distillable",
  source: requestSource,
  wanted: "a model whose author allows distillation",
  findViolation: ({ distillable }) => (distillable ? undefined : "not distillable")
}

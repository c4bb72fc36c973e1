/** Fills the tables of docs/reference/settings.md from the schema of the settings. */
import * as Schema from "effect/Schema"
import {
  defaults,
  settingGroups,
  settingRelations
} from "../packages/core/src/instance/Settings.ts"

const showValue = (value: unknown): string => {
  if (typeof value === "number") return value.toLocaleString("en-US")
  if (Array.isArray(value) && value.length > 0) return value.map(showValue).join("; ")
  return typeof value === "boolean" ? String(value) : "none"
}

const toRow = (name: string, schema: Schema.Constraint): string => {
  const { description, maximum, minimum } = Schema.resolveAnnotations(schema) ?? {}
  const bounds = [
    ...(typeof minimum === "number" && minimum > 1 ? [`At least ${showValue(minimum)}.`] : []),
    ...(typeof maximum === "number" ? [`At most ${showValue(maximum)}.`] : []),
    ...settingRelations
      .filter((relation) => relation.name === name)
      .map(({ comparison, other }) => `Must be ${comparison} \`${other}\`.`)
  ]
  const value = showValue(Object.entries(defaults).find(([key]) => key === name)?.[1])
  return `| \`${name}\` | ${value} | ${[description, ...bounds].join(" ")} |`
}

/** Rewrites the table of each section. A section has the name of a group of settings. */
export const toSettingsPage = (page: string): string =>
  Object.entries(settingGroups).reduce((text, [group, fields]) => {
    const table = ["| setting | default | what it limits |", "| --- | --- | --- |"].concat(
      Object.entries(fields).map(([name, schema]) => toRow(name, schema))
    )
    const section = new RegExp(`(\n### ${group}\n[^|]*?\n)(\\|[^\n]*\n)+`)
    if (!section.test(text))
      throw new Error(`docs/reference/settings.md has no table under "### ${group}"`)
    return text.replace(section, (_, opening: string) => `${opening}${table.join("\n")}\n`)
  }, page)

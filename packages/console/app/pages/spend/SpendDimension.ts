/** What spending is broken down by. */

export interface SpendDimension {
  /** The dimension of the series. */
  readonly name: string
  readonly title: string
  /** Finds the requests with a value of the dimension; undefined: it has none. */
  readonly toFilter: ((value: string) => Readonly<Record<string, string>>) | undefined
}

const makeDimension = (name: string, title: string, filter = name): SpendDimension => ({
  name,
  title,
  toFilter: (value) => ({ [filter]: value })
})

/** In the order of their buttons. */
export const spendDimensions: ReadonlyArray<SpendDimension> = [
  { name: "total", title: "Total", toFilter: undefined },
  makeDimension("model", "Model"),
  makeDimension("provider", "Provider"),
  makeDimension("key", "Key", "key_hash"),
  makeDimension("user", "User"),
  makeDimension("external_user", "External user"),
  makeDimension("workspace", "Workspace", "workspace_id"),
  makeDimension("preset", "Preset", "preset_id")
]

/** The dimension that the address names, or that of a tag such as `tag:customer`; by model without one. */
export const findSpendDimension = (name = "model"): SpendDimension =>
  spendDimensions.find((dimension) => dimension.name === name) ??
  (tagName.test(name)
    ? {
        name,
        title: `Tag ${name.slice("tag:".length)}`,
        toFilter: (value) => ({ tag: `${name.slice("tag:".length)}:${value}` })
      }
    : makeDimension("model", "Model"))

/** Whether there are figures of its values by model, too. */
export const isPairedWithModel = (name: string): boolean =>
  ["workspace", "key", "user", "external_user"].includes(name) || tagName.test(name)

const tagName = /^tag:[\w.-]{1,64}$/

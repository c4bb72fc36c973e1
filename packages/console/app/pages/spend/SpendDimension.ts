/** What spending is broken down by. */

/** In the order of their buttons. */
export const spendDimensions = {
  total: { title: "Total", filter: undefined },
  model: { title: "Model", filter: "model" },
  provider: { title: "Provider", filter: "provider" },
  key: { title: "Key", filter: "key_hash" },
  user: { title: "User", filter: "user" },
  workspace: { title: "Workspace", filter: "workspace_id" }
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly title: string
      /** The filter of requests with a value of the dimension. */
      readonly filter: string | undefined
    }
  >
>
export type SpendDimension = keyof typeof spendDimensions

export const isSpendDimension = (name: string | undefined): name is SpendDimension =>
  name !== undefined && Object.hasOwn(spendDimensions, name)

/** What is read of the list of https://models.dev. */

/** A provider: https://github.com/anomalyco/models.dev/blob/dev/packages/core/src/schema.ts. */
export interface ListedProvider {
  readonly models: Readonly<Record<string, PublishedModel>>
}

/** USD per million tokens. */
export interface PublishedCost {
  readonly input: number
  readonly output: number
  readonly reasoning?: number
  readonly cache_read?: number
  readonly cache_write?: number
  readonly input_audio?: number
  readonly output_audio?: number
}

export interface PublishedModel {
  readonly name?: string
  readonly family?: string
  readonly release_date?: string
  readonly status?: string
  readonly modalities: {
    readonly input: ReadonlyArray<string>
    readonly output: ReadonlyArray<string>
  }
  /** Tokens; 0: unknown. */
  readonly limit: { readonly context: number; readonly input?: number; readonly output?: number }
  readonly cost?: PublishedCost & {
    readonly tiers?: ReadonlyArray<
      PublishedCost & { readonly tier: { readonly type?: string; readonly size: number } }
    >
  }
  readonly experimental?: {
    readonly modes?: Readonly<
      Record<
        string,
        {
          readonly cost?: PublishedCost
          readonly provider?: { readonly body?: Readonly<Record<string, unknown>> }
        }
      >
    >
  }
}

/** What `scripts/buildConsole.ts` writes. */
export declare const page: string
/** By name, which changes with the content. `gzip` is the compressed text in Base64. */
export declare const files: Readonly<
  Record<string, { readonly type: string; readonly text: string; readonly gzip: string }>
>

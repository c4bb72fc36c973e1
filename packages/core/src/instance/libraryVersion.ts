/** The version of the packages. `scripts/writeVersion.ts` writes it with each release. */
export const libraryVersion: string = "0.0.0"

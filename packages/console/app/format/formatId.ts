/** Shortens ids to what tells them apart. */

export const formatId = (id: string): string => (id.length > 16 ? `${id.slice(0, 10)}…` : id)

/** The id of a preset is that of its workspace, a slash and its slug. */
export const toPresetSlug = (id: string): string => id.slice(id.indexOf("/") + 1)

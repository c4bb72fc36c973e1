/** Whether an error has a class of this name, of which a library may have another version than the tests. */
export const hasClass = (error: unknown, name: string): boolean => {
  for (let type: unknown = error; typeof type === "object" && type !== null;) {
    if (type.constructor.name === name) return true
    type = Object.getPrototypeOf(type)
  }
  return false
}

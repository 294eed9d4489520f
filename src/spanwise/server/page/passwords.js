/** Passwords that opened a file, in memory for as long as the page is open: nobody has to give one twice. */

/** By the SHA-256 of the file. @type {Map<string, string>} */
const known = new Map();

/** @param {string} sha256 @param {string} password */
export function rememberPassword(sha256, password) {
  if (password) known.set(sha256, password);
}

/** @param {string} sha256 Of a file that none of the passwords opened. */
export function forgetPassword(sha256) {
  known.delete(sha256);
}

/** @param {string} sha256 @returns {string} Empty where none is known. */
export function passwordOf(sha256) {
  return known.get(sha256) ?? "";
}

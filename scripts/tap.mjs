// Parses the output of a test file (Test Anything Protocol).

const getDepth = (line) => /^ */.exec(line)[0].length

const plain = (name) => name.replaceAll(/\\([#\\])/g, '$1')

/** The diagnosis that follows a failure, without its margin. */
function diagnosisAfter(lines, index) {
  const margin = getDepth(lines[index]) + 2
  if (lines[index + 1]?.slice(margin) !== '---') return []
  const rest = lines.slice(index + 2)
  const end = rest.findIndex((line) => line.slice(margin) === '...')
  return rest.slice(0, Math.max(end, 0)).map((line) => line.slice(margin))
}

/**
 * Counts the assertions, not the tests that they are in.
 *
 * @returns {{ passed: number, failures: string[], skipped: { name: string, reason: string }[] }} Failures come with the
 * tests that they are in, and with their diagnosis.
 */
export function readTap(text) {
  const lines = text.split('\n')
  const tests = []
  const failures = []
  const skipped = []
  const complete = []
  let passed = 0
  for (const [index, line] of lines.entries()) {
    const depth = getDepth(line) / 4
    const signIn = /^ *# Subtest: (.*)$/.exec(line)
    if (signIn) tests.splice(depth, Infinity, plain(signIn[1]))
    if (/^ *\}$/.test(line)) tests.splice(depth)
    const point = /^ *(not )?ok \d+(?: - (.*))?$/.exec(line)
    if (!point) continue
    const [, isNot, output = ''] = point
    const aside = / # (SKIP|TODO) ?(.*)$/i.exec(output)
    const name = plain(output.replace(/ # .*$/, '').replace(/ \{$/, ''))
    const path = [...tests.slice(0, depth), name].filter(Boolean).join(' > ')
    // A whole test, after its subtests, or before them in braces.
    const isTest = output.endsWith('{') || tests[depth] === name
    tests.splice(depth, Infinity, ...(output.endsWith('{') ? [name] : []))
    if (aside) skipped.push({ name: path, reason: aside[2].replace(/ *\{$/, '') || aside[1].toLowerCase() })
    else if (isNot && isTest) complete.push({ path, message: [path, ...diagnosisAfter(lines, index)].join('\n  ') })
    else if (isNot) failures.push([path, ...diagnosisAfter(lines, index)].join('\n  '))
    else if (!isTest) passed += 1
  }
  // A test that failed without a failure in it ended too early, or planned for more.
  for (const { path, message } of complete)
    if (!failures.some((one) => one.startsWith(`${path} > `))) failures.push(message)
  return { passed, failures, skipped }
}

/** Begins the output of a file, if a process runs several: the milliseconds since its start, and the file. */
export const fileMark = (file, milliseconds) => `file ${Math.round(milliseconds)} ms ${file}`

/** Splits the output of a process that ran several files. @returns The output of each file that began, and its seconds. */
export function splitFiles(text, files, seconds) {
  const marks = Array.from(text.matchAll(/^# file (\d+) ms (.*)\n/gm), ({ index, 0: line, 1: start, 2: file }) => ({
    file,
    from: index + line.length,
    until: index,
    start: Number(start) / 1000
  }))
  return new Map(
    files.map((file) => {
      const index = marks.findIndex((mark) => mark.file === file)
      const [mark, next] = [marks[index], marks[index + 1]]
      if (!mark) return [file, { stdout: '', seconds: 0, isLast: false }]
      const stdout = text.slice(mark.from, next?.until)
      return [file, { stdout, seconds: (next?.start ?? seconds) - mark.start, isLast: !next }]
    })
  )
}

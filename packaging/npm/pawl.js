#!/usr/bin/env node
// Starts the pawl of this system, which is in a package of its own: npm installs
// the one of @pawl-dev/SYSTEM-PROCESSOR that fits, and no script runs for it.
//
// What the program gets and does is as if it had been started without Node:
// arguments, streams, signals and the exit code. It is started by its own path,
// which `pawl setup` gives to agents, so that their hooks do not start Node.
'use strict'

const fs = require('fs')
const os = require('os')
const { spawn } = require('child_process')

const { platform, arch } = process

// What can run here, the best first. macOS and Windows also run programs for the
// other processor, and Node itself may be such a program (under Rosetta).
const others = { 'darwin-arm64': 'x64', 'darwin-x64': 'arm64', 'win32-arm64': 'x64' }
const archs = [arch, others[`${platform}-${arch}`]].filter(Boolean)
const built = ['linux', 'darwin', 'win32'].includes(platform) && ['x64', 'arm64'].includes(arch)

function find() {
  for (const a of archs) {
    try {
      return { file: require.resolve(`@pawl-dev/${platform}-${a}/bin/pawl${platform === 'win32' ? '.exe' : ''}`), native: a === arch }
    } catch {} // not installed
  }
}

function fail(...lines) {
  process.stderr.write(lines.map((line) => `pawl: ${line}\n`).join(''))
  process.exit(1)
}

function explainMissing() {
  if (!built) {
    fail(`there is no build for ${platform}-${arch}`,
      'hint: build it with Go: go install github.com/pawl-dev/pawl/cmd/pawl@latest')
  }
  const wanted = `@pawl-dev/${platform}-${arch}`
  const elsewhere = ['linux', 'darwin', 'win32'].flatMap((p) => ['x64', 'arm64'].map((a) => `@pawl-dev/${p}-${a}`)).find((name) => {
    try { return require.resolve(`${name}/package.json`) } catch {}
  })
  fail(elsewhere
    ? `the package ${wanted} is missing: this folder was installed on another system, which got ${elsewhere}`
    : `the package ${wanted} is missing: npm was told to leave out optional packages, or kept an old lock file`,
    `in ${__dirname}`,
    `hint: npm install -g pawl --include=optional --force`,
    `hint: in a project: npm install pawl --include=optional --force`)
}

function explainFault(file, error) {
  const hint = error.code === 'EACCES'
    ? `hint: chmod +x ${file}, if no noexec mount forbids it`
    : `hint: npm install -g pawl --force, with a Node for this processor (${os.machine ? os.machine() : arch})`
  fail(`cannot start ${file}: ${error.message}`, hint)
}

const found = find()
if (!found) explainMissing()
const { file, native } = found
const args = process.argv.slice(2)

try {
  fs.accessSync(file, fs.constants.X_OK)
} catch (error) {
  explainFault(file, error)
}

// Newer versions of Node can become the program. They abort when that fails, as
// with a program for another processor.
if (native && process.execve) process.execve(file, [file, ...args], process.env)

// Otherwise this process stays, and stands for the program. Pawl looks for the agent that
// started it among its ancestors, and passes over those with this name.
process.title = 'pawl'

// Signals are passed on. A terminal sends these two to both of us.
const terminal = new Set(['SIGINT', 'SIGQUIT'])
const atTerminal = [0, 1, 2].some((fd) => require('tty').isatty(fd))
const signals = platform === 'win32' ? ['SIGINT', 'SIGBREAK'] : ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']
for (const signal of signals) {
  process.on(signal, () => {
    if (platform === 'win32' || terminal.has(signal) && atTerminal) return
    child.kill(signal)
  })
}

// Only now, because a signal may come as soon as the program runs.
const child = spawn(file, args, { argv0: file, stdio: 'inherit' })

child.on('error', (error) => explainFault(file, error))
child.on('exit', (code, signal) => {
  if (!signal) process.exit(code)
  // End as the program did. Node ignores SIGPIPE, so that one becomes its code.
  for (const s of signals) process.removeAllListeners(s)
  process.kill(process.pid, signal)
  process.exit(128 + os.constants.signals[signal])
})

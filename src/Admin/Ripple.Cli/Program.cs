using System.Runtime.InteropServices;
using Ripple.Cli;
using Ripple.Cli.Output;

using var stop = new CancellationTokenSource();
using PosixSignalRegistration interrupted = PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal);
using PosixSignalRegistration terminated = PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal);
CliConsole console = CliConsole.OfProcess();
return await CliProgram.RunAsync(args, console, stop.Token).ConfigureAwait(false);

void OnSignal(PosixSignalContext signal)
{
    // On the second signal, let the system end the process: a repeated request means immediately.
    signal.Cancel = !stop.IsCancellationRequested;
    stop.Cancel();
}

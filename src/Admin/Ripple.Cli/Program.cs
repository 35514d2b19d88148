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
    // The second time, the system's own way: whoever asks twice means now.
    signal.Cancel = !stop.IsCancellationRequested;
    stop.Cancel();
}

using System.Text;
using Ripple.Cli.Tests.Hosting;

namespace Ripple.Cli.Tests.Commands;

/// <summary>What tests of commands against a host share.</summary>
public abstract class CommandTest : IClassFixture<CliHost>, IDisposable
{
    protected CommandTest(CliHost host)
    {
        Host = host;
        Cli = host.CommandLine(Folder);
    }

    internal CliHost Host { get; }

    internal TestFolder Folder { get; } = new();

    internal CommandLine Cli { get; }

    public void Dispose()
    {
        Folder.Dispose();
        GC.SuppressFinalize(this);
    }

    internal Task<CliRun> RunAsync(params string[] args) => Cli.RunAsync(args);

    /// <summary>Makes an application that holds key <c>a.txt</c>, one release for each text.</summary>
    internal async Task<string> ApplicationAsync(params string[] texts)
    {
        string application = await Host.NewApplicationAsync();
        foreach (string text in texts)
        {
            (await RunAsync("publish", application, "--text", $"a.txt={text}")).Done();
        }

        return application;
    }

    internal static byte[] Bytes(string text) => Encoding.UTF8.GetBytes(text);

    /// <summary>Runs again until it is as wanted.</summary>
    internal static async Task<T> UntilAsync<T>(Func<Task<T>> look, Func<T, bool> isWanted)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        limit.CancelAfter(CliHost.Patience);
        T last = await look();
        while (!isWanted(last))
        {
            Assert.False(limit.IsCancellationRequested, $"It never came, the last was {last}");
            await Task.Yield();
            last = await look();
        }

        return last;
    }
}

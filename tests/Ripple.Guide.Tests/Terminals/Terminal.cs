using System.Diagnostics;
using System.Text;

namespace Ripple.Guide.Tests.Terminals;

/// <summary>A shell that goes on from one block to the next: its folder, its variables and what it started stay.</summary>
internal abstract class Terminal : IDisposable
{
    /// <summary>Ends what hangs, and is never reached by what is merely slow.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);

    private readonly Process _process;
    private int _blocks;

    protected Terminal(ReaderHome home, string program, IEnumerable<string> arguments)
    {
        Home = home;
        var start = new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = home.Folder,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        home.Prepare(start.Environment);
        _process = Process.Start(start)!;
    }

    protected ReaderHome Home { get; }

    /// <summary>What the shell writes when a block has ended well.</summary>
    protected const string Ended = "-- the block has ended --";

    /// <summary>The ending of a file with a block.</summary>
    protected abstract string Extension { get; }

    /// <summary>Types a block and waits for its end; what it wrote. Fails with that where the block fails.</summary>
    public async Task<string> TypeAsync(GuideBlock block, string text, string answers)
    {
        string path = Path.Combine(Home.Scratch, $"block-{++_blocks}{Extension}");
        await File.WriteAllTextAsync(path, Script(text), TestContext.Current.CancellationToken);
        string input = Path.ChangeExtension(path, ".in");
        await File.WriteAllTextAsync(input, answers, TestContext.Current.CancellationToken);
        await _process.StandardInput.WriteAsync(Call(path, input, answers));
        await _process.StandardInput.FlushAsync();
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        limit.CancelAfter(Patience);
        var output = new StringBuilder();
        try
        {
            while (await _process.StandardOutput.ReadLineAsync(limit.Token) is { } line)
            {
                if (line == Ended)
                {
                    return output.ToString();
                }

                output.Append(line).Append('\n');
            }
        }
        catch (OperationCanceledException) when (!TestContext.Current.CancellationToken.IsCancellationRequested)
        {
            Assert.Fail($"{block} did not end in {Patience}:\n{text}\nit wrote:\n{output}\n{Home.Logs()}");
        }

        Assert.Fail(
            $"{block} failed:\n{text}\nit wrote:\n{output}{await _process.StandardError.ReadToEndAsync(limit.Token)}\n{Home.Logs()}");
        return string.Empty;
    }

    public void Dispose()
    {
        _process.Kill(entireProcessTree: true);
        _process.WaitForExit();
        _process.Dispose();
        GC.SuppressFinalize(this);
    }

    /// <summary>What is in the file of a block.</summary>
    protected abstract string Script(string text);

    /// <summary>What makes the shell run the file, give it these answers, and write that it ended.</summary>
    protected abstract string Call(string path, string input, string answers);
}

using System.Text;
using System.Text.Json;

namespace Ripple.Cli.Tests;

/// <summary>What a run of the command line said.</summary>
internal sealed record CliRun(int Code, byte[] OutputBytes, string Error)
{
    public string Output => Encoding.UTF8.GetString(OutputBytes);

    public string[] Lines => Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);

    /// <summary>Standard output as one JSON document.</summary>
    public JsonElement Json => JsonDocument.Parse(OutputBytes).RootElement;

    /// <summary>Standard error as one JSON document.</summary>
    public JsonElement Problem => JsonDocument.Parse(Error).RootElement;

    /// <summary>It is done, and said nothing on standard error.</summary>
    public CliRun Done()
    {
        Assert.True(Code == ExitCodes.Done && Error.Length == 0, $"{Code}: {Error}{Output}");
        return this;
    }

    /// <summary>It failed so; standard error says all of that, and standard output says nothing.</summary>
    public CliRun Failed(int code, params string[] said)
    {
        Assert.True(code == Code, $"{Code}: {Error}{Output}");
        Assert.Empty(Output);
        foreach (string text in said)
        {
            Assert.Contains(text, Error, StringComparison.Ordinal);
        }

        return this;
    }
}

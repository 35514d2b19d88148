using System.Diagnostics;
using System.Text.RegularExpressions;
using Ripple.Cli.Tests.Hosting;

namespace Ripple.Cli.Tests.Commands;

public sealed class CompletionTests(CliHost host) : CommandTest(host)
{
    [Fact]
    public async Task Commands_options_applications_and_keys_are_completed()
    {
        string application = await ApplicationAsync("1");
        (await RunAsync("publish", application, "--text", "other=1")).Done();

        Assert.Equal(["publish"], await SuggestAsync("ripple publ"));
        Assert.Contains("--dry-run", await SuggestAsync("ripple publish x --"));
        Assert.Equal(
            ["json", "text"], (await SuggestAsync("ripple keys x --output ")).Where(s => !s.StartsWith('-')).Order(StringComparer.Ordinal));
        Assert.Contains(application, await SuggestAsync("ripple get "));
        Assert.Equal(
            ["a.txt", "other"],
            (await SuggestAsync($"ripple get {application} ")).Where(s => s[0] is not ('-' or '/')).Order(StringComparer.Ordinal));
        Assert.Equal(["a.txt="], await SuggestAsync($"ripple publish {application} a."));
        Assert.Equal(["other"], await SuggestAsync($"ripple publish {application} --remove ot"));
        Assert.Contains("publisher", await SuggestAsync("ripple token create --role "));
    }

    [Fact]
    public async Task Completion_is_silent_when_nothing_can_be_asked()
    {
        Cli["RIPPLE_CONNECTION_FILE"] = Folder.PathOf("nowhere");

        CliRun run = await RunAsync("[suggest:11]", "ripple get ");

        Assert.Equal("", run.Error);
        Assert.Equal(0, run.Code);
        Assert.DoesNotContain(run.Lines, l => l[0] is not ('-' or '/'));
    }

    [Theory]
    [InlineData("bash", "complete -o default -F _ripple_complete ripple")]
    [InlineData("zsh", "compdef _ripple_complete ripple")]
    [InlineData("pwsh", "Register-ArgumentCompleter -Native -CommandName ripple")]
    public async Task Script_is_printed_for_each_shell(string shell, string line)
    {
        CliRun run = (await RunAsync("completion", shell)).Done();

        Assert.Contains(line, run.Output, StringComparison.Ordinal);
        (await RunAsync("completion", "tcsh")).Failed(1, "tcsh", "bash");
    }

    [Fact]
    public async Task Script_for_bash_completes_and_never_runs_a_name()
    {
        Assert.SkipUnless(File.Exists("/bin/bash"), "There is no /bin/bash here.");
        string marker = Folder.PathOf("ran");
        string script = (await RunAsync("completion", "bash")).Done().Output;
        string test = $$"""
            ripple() { printf '%s\n' 'good' '$(touch {{marker}})' 'go od'; }
            {{script}}
            COMP_WORDS=(ripple get "$1"); COMP_CWORD=2; COMP_LINE="ripple get $1"; COMP_POINT=${#COMP_LINE}
            _ripple_complete
            printf '<%s>\n' "${COMPREPLY[@]}"
            """;

        using var process = Process.Start(
            new ProcessStartInfo("/bin/bash", ["--norc", "-c", test, "bash", ""]) { RedirectStandardOutput = true })!;
        string output = await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);

        Assert.Equal($"<good>\n<\\$\\(touch\\ {marker}\\)>\n<go\\ od>\n", output);
        Assert.False(File.Exists(marker));
    }

    [Fact]
    public async Task Script_for_powershell_doubles_every_quote_it_knows()
    {
        string script = (await RunAsync("completion", "pwsh")).Done().Output;
        Match replace = Regex.Match(script, @"-replace '(?<what>[^']+)', '(?<by>[^']+)'");
        Match bare = Regex.Match(script, @"-match '(?<what>[^']+)'");

        Assert.True(replace.Success && bare.Success, script);
        const string Quotes = "'\u2018\u2019\u201A\u201B";
        Assert.Equal(
            string.Concat(Quotes.Select(q => $"{q}{q}")),
            Regex.Replace(Quotes, replace.Groups["what"].Value, replace.Groups["by"].Value));
        Assert.All(Quotes + " ;$`@(){}|&<>,\"#%", c => Assert.Matches(bare.Groups["what"].Value, $"a{c}"));
    }

    private async Task<string[]> SuggestAsync(string line) => (await RunAsync($"[suggest:{line.Length}]", line)).Done().Lines;
}

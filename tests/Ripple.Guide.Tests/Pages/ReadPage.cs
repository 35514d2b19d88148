using Ripple.Guide.Tests.Terminals;

namespace Ripple.Guide.Tests.Pages;

/// <summary>
/// A page as it is typed, from its top to its end, in an empty directory. What a page takes for granted is prepared, and what it leaves to
/// its reader (an id, a port, a path) is put in its place; all else is typed as it stands.
/// </summary>
internal abstract class ReadPage(string name) : IAsyncDisposable
{
    private ReaderHome? _home;
    private BashTerminal? _bash;
    private PowerShellTerminal? _powerShell;

    /// <summary>The page's file name.</summary>
    public string Name { get; } = name;

    protected ReaderHome Home => _home ??= new ReaderHome();

    protected BashTerminal Bash => _bash ??= new BashTerminal(Home);

    private PowerShellTerminal PowerShell => _powerShell ??= new PowerShellTerminal(Home);

    protected static CancellationToken Cancel => TestContext.Current.CancellationToken;

    /// <summary>Why a block is not typed; null when it is. What not every machine has is asked of the machine.</summary>
    public virtual string? WhyNotTyped(GuideBlock block) => null;

    /// <summary>Types the page; how many blocks were typed.</summary>
    public async Task<int> TypeAsync()
    {
        await PrepareAsync();
        int count = 0;
        foreach (GuideBlock block in GuidePages.Blocks(Name).Where(b => b.IsTyped && WhyNotTyped(b) is null))
        {
            await BeforeAsync(block);
            Terminal terminal = block.Language == "powershell" ? PowerShell : Bash;
            string output = await terminal.TypeAsync(block, Put(block), Answers(block));
            await AfterAsync(block, output);
            count++;
        }

        if (_bash is not null)
        {
            Assert.Empty(Bash.Failed);
        }

        return count;
    }

    public async ValueTask DisposeAsync()
    {
        _bash?.Dispose();
        _powerShell?.Dispose();
        await EndAsync();
        _home?.Dispose();
    }

    /// <summary>Makes what the page takes for granted; before anything is typed.</summary>
    protected virtual Task PrepareAsync() => Task.CompletedTask;

    /// <summary>Looks, or does what others do meanwhile, before a block is typed.</summary>
    protected virtual Task BeforeAsync(GuideBlock block) => Task.CompletedTask;

    /// <summary>The block with what is left to the reader.</summary>
    protected virtual string Put(GuideBlock block) => block.Text;

    /// <summary>What a block is given on its standard input.</summary>
    protected virtual string Answers(GuideBlock block) => string.Empty;

    /// <summary>Judges what a block wrote, beyond its not having failed.</summary>
    protected virtual Task AfterAsync(GuideBlock block, string output) => Task.CompletedTask;

    /// <summary>True for a program that this machine has.</summary>
    protected static bool IsOnPath(string program) => (Environment.GetEnvironmentVariable("PATH") ?? string.Empty)
        .Split(Path.PathSeparator).Any(folder => folder.Length > 0 && File.Exists(Path.Combine(folder, program)));

    /// <summary>Ends what was prepared.</summary>
    protected virtual ValueTask EndAsync() => default;
}

using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;

namespace Ripple.Attacks.Attacks;

/// <summary>
/// One way to harm others. Three of its methods run in the attacker's process, the others with who judges. What holds for every attack
/// (arrivals, times, memory, names) is not said here again.
/// </summary>
internal abstract class Attack
{
    /// <summary>Its name on the command line.</summary>
    public abstract string Name { get; }

    /// <summary>Who does what, in a line.</summary>
    public abstract string What { get; }

    /// <summary>How the printed lines of memory begin that belong to the rooms attacked.</summary>
    public virtual IReadOnlyList<string> MemoryLines => [];

    /// <summary>How many connections the attack has, for these lines.</summary>
    public virtual int Connections => 2;

    /// <summary>How many regions it has, for these lines.</summary>
    public virtual int Regions => 1;

    /// <summary>Megabytes of published state that the host keeps by right because of the attack.</summary>
    public virtual double StateMb => 0;

    /// <summary>Whether a log has to name the attacker.</summary>
    public virtual bool IsNamed => true;

    /// <summary>How long it may take.</summary>
    public virtual TimeSpan Longest => TimeSpan.FromSeconds(120);

    /// <summary>With the judge, before anything is measured: tokens, victims, history.</summary>
    public virtual async Task PrepareAsync(Stage stage) =>
        await stage.GiveTokenAsync(Stage.Mallory, Admin.Contracts.Role.Node, Stage.Target);

    /// <summary>In the attacker's process, before the attack: what an honest node may do too.</summary>
    public virtual Task SetUpAsync(Attacker attacker) => Task.CompletedTask;

    /// <summary>In the attacker's process: the attack. What it holds open stays so until the end of the publishes.</summary>
    public abstract Task RunAsync(Attacker attacker);

    /// <summary>With the judge: the attacker asked for something that others do.</summary>
    public virtual Task OnAskedAsync(Stage stage, string what) => Task.CompletedTask;

    /// <summary>With the judge, beside the attack. Null, or what was broken.</summary>
    public virtual Task<string?> WatchAsync(Stage stage, Task attacking) => Task.FromResult<string?>(null);

    /// <summary>
    /// With the judge, when the publishes have arrived and the attacker still holds what it has. Null, or what was broken.
    /// </summary>
    public virtual Task<string?> JudgeAsync(Stage stage) => Task.FromResult<string?>(null);

    /// <summary>With the judge, last of all, when the attacker is gone; may start the host again. Null, or what was broken.</summary>
    public virtual Task<string?> JudgeAfterAsync(Stage stage) => Task.FromResult<string?>(null);
}

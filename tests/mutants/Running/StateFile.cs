namespace Ripple.Mutants.Running;

/// <summary>The verdicts so far, so that an interrupted run goes on where it was. Null as a path keeps nothing.</summary>
internal sealed class StateFile(string? path)
{
    /// <summary>The verdicts that a run before left here, by the mutant's name. A last line that was cut off is judged again.</summary>
    public Dictionary<string, Verdict> Load()
    {
        var verdicts = new Dictionary<string, Verdict>(StringComparer.Ordinal);
        if (path is not null && File.Exists(path))
        {
            foreach (string line in File.ReadAllLines(path).Where(l => l.EndsWith('}')))
            {
                Verdict verdict = VerdictJson.Read(line);
                verdicts[verdict.Mutant] = verdict;
            }
        }

        return verdicts;
    }

    public void Add(Verdict verdict)
    {
        if (path is not null)
        {
            File.AppendAllText(path, VerdictJson.Write(verdict) + "\n");
        }
    }
}

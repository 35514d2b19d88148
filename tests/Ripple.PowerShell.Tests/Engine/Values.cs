#pragma warning disable CA1034, CA1815, CA1032, CA2225
using System.Collections;
using System.Collections.ObjectModel;
using System.Text.RegularExpressions;

namespace System.Management.Automation
{
    public readonly struct SwitchParameter(bool isPresent)
    {
        public bool IsPresent { get; } = isPresent;

        public static implicit operator SwitchParameter(bool value) => new(value);

        public static implicit operator bool(SwitchParameter value) => value.IsPresent;
    }

    public sealed class PSObject(object value)
    {
        public object BaseObject { get; } = value;

        public PSProperties Properties => new(BaseObject);

        public override string? ToString() => BaseObject.ToString();
    }

    /// <summary>What an object made of properties alone is based on.</summary>
    public sealed class PSCustomObject;

    /// <summary>The properties of an object, by their names in any case.</summary>
    public sealed class PSProperties(object value)
    {
        public PSProperty? this[string name] =>
            value.GetType().GetProperties().FirstOrDefault(p => p.Name.Equals(name, StringComparison.OrdinalIgnoreCase)) is { } found
                ? new PSProperty(found.GetValue(value))
                : null;
    }

    public sealed record PSProperty(object? Value);

    public sealed record PSVariable(string Name, object? Value);

    /// <summary>A script block that is code of a test.</summary>
    public sealed class ScriptBlock(Func<object?, object?> run)
    {
        public Collection<PSObject> InvokeWithContext(IDictionary? functions, List<PSVariable> variables, params object[] args) =>
            run(variables.Single(v => v.Name == "_").Value) is { } made ? [new PSObject(made)] : [];
    }

    public class RuntimeException(string message, Exception? innerException = null, ErrorRecord? errorRecord = null)
        : Exception(message, innerException)
    {
        public ErrorRecord? ErrorRecord { get; } = errorRecord;

        public bool WasThrownFromThrowStatement { get; set; }
    }

    public sealed class WildcardPatternException(string message) : RuntimeException(message);

    public sealed class PipelineStoppedException : Exception;

    public enum ErrorCategory
    {
        NotSpecified,
        AuthenticationError,
        ConnectionError,
        InvalidArgument,
        InvalidData,
        InvalidOperation,
        LimitsExceeded,
        ObjectNotFound,
        OperationTimeout,
        PermissionDenied,
        ReadError,
        ResourceBusy,
        ResourceExists,
        ResourceUnavailable,
        WriteError,
    }

    public sealed class ErrorRecord(Exception exception, string errorId, ErrorCategory errorCategory, object? targetObject)
    {
        public Exception Exception { get; } = exception;

        public string FullyQualifiedErrorId { get; } = errorId;

        public ErrorCategory Category { get; } = errorCategory;

        public object? TargetObject { get; } = targetObject;

        public ErrorDetails? ErrorDetails { get; set; }
    }

    public sealed class ErrorDetails(string message)
    {
        public string Message { get; } = message;
    }

    public enum ProgressRecordType
    {
        Processing,
        Completed,
    }

    public sealed class ProgressRecord(int activityId, string activity, string statusDescription)
    {
        public int ActivityId { get; } = activityId >= 0 ? activityId : throw new ArgumentOutOfRangeException(nameof(activityId));

        public string Activity { get; } = activity;

        public string StatusDescription { get; } = statusDescription.Length > 0
            ? statusDescription
            : throw new ArgumentException("It may not be empty.", nameof(statusDescription));

        public int PercentComplete
        {
            get;
            set => field = value <= 100 ? value : throw new ArgumentOutOfRangeException(nameof(value));
        }

        public ProgressRecordType RecordType { get; set; }
    }

    [Flags]
    public enum WildcardOptions
    {
        None = 0,
        IgnoreCase = 2,
        CultureInvariant = 4,
    }

    /// <summary>Stars, question marks, brackets and backticks, as the real one reads them.</summary>
    public sealed class WildcardPattern(string pattern, WildcardOptions options)
    {
        private readonly Lazy<Regex> _regex = new(() => Read(pattern, options));

        public static bool ContainsWildcardCharacters(string pattern)
        {
            for (int i = 0; i < pattern.Length; i++)
            {
                if (pattern[i] is '*' or '?' or '[' or ']')
                {
                    return true;
                }

                i += pattern[i] == '`' ? 1 : 0;
            }

            return false;
        }

        public static string Escape(string pattern) => Regex.Replace(pattern, @"[*?\[\]`]", "`$0");

        public static string Unescape(string pattern) => Regex.Replace(pattern, "`(.)", "$1", RegexOptions.Singleline);

        public bool IsMatch(string input) => _regex.Value.IsMatch(input);

        private static Regex Read(string pattern, WildcardOptions options)
        {
            if (Regex.IsMatch(pattern, @"(?<!`)\[[^\]]*$"))
            {
                throw new WildcardPatternException($"'{pattern}' is not valid.");
            }

            string regex = Regex.Replace(pattern, @"`(.)|\*|\?|\[[^\]]*\]|[^`*?\[]+", m => m.Value switch
            {
                ['`', ..] => Regex.Escape(m.Groups[1].Value),
                "*" => ".*",
                "?" => ".",
                ['[', ..] => m.Value,
                _ => Regex.Escape(m.Value),
            });
            return new Regex(
                $"^{regex}$",
                RegexOptions.Singleline | RegexOptions.CultureInvariant | (options.HasFlag(WildcardOptions.IgnoreCase)
                    ? RegexOptions.IgnoreCase
                    : RegexOptions.None));
        }
    }

    public enum CompletionResultType
    {
        ParameterValue,
    }

    public sealed class CompletionResult(string completionText, string listItemText, CompletionResultType resultType, string toolTip)
    {
        public string CompletionText { get; } = completionText;

        public string ListItemText { get; } = listItemText;

        public CompletionResultType ResultType { get; } = resultType;

        public string ToolTip { get; } = toolTip;
    }

    public interface IArgumentCompleter
    {
        IEnumerable<CompletionResult> CompleteArgument(
            string commandName,
            string parameterName,
            string wordToComplete,
            Language.CommandAst commandAst,
            IDictionary fakeBoundParameters);
    }
}

namespace System.Management.Automation.Language
{
    public sealed class CommandAst;
}

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
    <context>
        <name>Workbench</name>
        <message>
            <location filename="resources/i18n/also_shown.txt" />
            <source>cancelled</source>
            <translation>已取消</translation>
        </message>
        <message>
            <location filename="resources/i18n/also_shown.txt" />
            <source>same</source>
            <translation>相同</translation>
        </message>
        <message>
            <location filename="resources/i18n/also_shown.txt" />
            <source>moved</source>
            <translation>有偏移</translation>
        </message>
        <message>
            <location filename="resources/i18n/also_shown.txt" />
            <source>quiet</source>
            <translation>平稳</translation>
        </message>
        <message>
            <location filename="resources/i18n/also_shown.txt" />
            <source>loading</source>
            <translation>正在加载</translation>
        </message>
        <message>
            <location filename="resources/i18n/also_shown.txt" />
            <source>importing</source>
            <translation>正在导入</translation>
        </message>
        <message>
            <location filename="resources/i18n/also_shown.txt" />
            <source>building</source>
            <translation>正在构建</translation>
        </message>
        <message>
            <location filename="resources/i18n/also_shown.txt" />
            <source>tracing</source>
            <translation>正在跟踪</translation>
        </message>
        <message>
            <location filename="resources/i18n/also_shown.txt" />
            <source>calibrating</source>
            <translation>正在校准</translation>
        </message>
        <message>
            <location filename="resources/i18n/also_shown.txt" />
            <source>measuring</source>
            <translation>正在测量</translation>
        </message>
        <message>
            <location filename="resources/i18n/also_shown.txt" />
            <source>proving</source>
            <translation>正在核实</translation>
        </message>
        <message>
            <location filename="resources/i18n/also_shown.txt" />
            <source>config</source>
            <translation>配置</translation>
        </message>
        <message>
            <location filename="resources/i18n/also_shown.txt" />
            <source>effective</source>
            <translation>实际生效值</translation>
        </message>
        <message>
            <location filename="resources/i18n/also_shown.txt" />
            <source>layers</source>
            <translation>层</translation>
        </message>
        <message>
            <location filename="resources/i18n/also_shown.txt" />
            <source>tensors</source>
            <translation>张量</translation>
        </message>
        <message>
            <location filename="resources/i18n/also_shown.txt" />
            <source>calibration</source>
            <translation>校准</translation>
        </message>
        <message>
            <location filename="resources/i18n/also_shown.txt" />
            <source>evaluation</source>
            <translation>评估</translation>
        </message>
        <message>
            <location filename="resources/i18n/also_shown.txt" />
            <source>bit-identical</source>
            <translation>逐位相同</translation>
        </message>
        <message>
            <location filename="resources/i18n/also_shown.txt" />
            <source>no</source>
            <translation>否</translation>
        </message>
        <message>
            <location filename="resources/i18n/also_shown.txt" />
            <source>full</source>
            <translation>完整</translation>
        </message>
        <message>
            <location filename="resources/i18n/also_shown.txt" />
            <source>reduced</source>
            <translation>缩减</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>Inference report</source>
            <translation>推理性能报告</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>{0} as fast as plain FP32: {1} ms instead of {2} ms per run.</source>
            <translation>速度为普通 FP32 的 {0}：每次运行 {1} 毫秒，原为 {2} 毫秒。</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>{0} ms per run, where plain FP32 takes {1} ms.</source>
            <translation>每次运行 {0} 毫秒，普通 FP32 为 {1} 毫秒。</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>{0} ms per run.</source>
            <translation>每次运行 {0} 毫秒。</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>Accuracy is unknown: no data was given.</source>
            <translation>准确度未知：没有给出数据。</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>This trial is not valid: {0}</source>
            <translation>此试验无效：{0}</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>Key figures</source>
            <translation>关键指标</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>as fast as plain FP32</source>
            <translation>相对普通 FP32 的速度</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>median latency</source>
            <translation>延迟中位数</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>99 of 100 runs are faster</source>
            <translation>100 次运行中有 99 次更快</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>same class as FP32</source>
            <translation>与 FP32 类别一致</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>mean cosine similarity to FP32</source>
            <translation>与 FP32 的平均余弦相似度</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>Latency, before and now</source>
            <translation>延迟：优化前与现在</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>Before: {0}, FP32 as it comes (trial {1}). Now: {2}, {3} (trial {4}).</source>
            <translation>优化前：{0}，默认设置的 FP32（试验 {1}）。现在：{2}，{3}（试验 {4}）。</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>The study has no trial in plain FP32 on this machine to compare with.</source>
            <translation>研究中没有在这台机器上测得的普通 FP32 试验可供比较。</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>Histogram of the latencies of all timed runs</source>
            <translation>全部计时运行的延迟直方图</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>All timed runs; each side is as high as its most frequent latency. Warm-up is not in it.</source>
            <translation>全部计时运行；每一侧的高度以其最常见的延迟为准，不含预热。</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>times better</source>
            <translation>改善倍数</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>Ratio of medians {0}, 95 % interval {1} to {2}, from one process each.</source>
            <translation>中位数之比 {0}，95% 区间 {1} 至 {2}，每侧各一个进程。</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>Timing of trial {0}: {1}</source>
            <translation>试验 {0} 的计时：{1}</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>What each step bought</source>
            <translation>每一步的收益</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>Median latency of each step from the naive way to INT8</source>
            <translation>从最朴素的方式到 INT8，每一步的延迟中位数</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>From the naive way to INT8, one setting at a time; each step keeps what was turned before it. A bar goes from the median of the step before to its own.</source>
            <translation>从最朴素的方式到 INT8，每次只改一项设置，之前的改动保留。横条从上一步的中位数画到这一步的中位数。</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>By output</source>
            <translation>按输出</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>mean cosine</source>
            <translation>平均余弦</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>worst cosine</source>
            <translation>最差余弦</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>largest difference</source>
            <translation>最大差值</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>Samples that changed most</source>
            <translation>变化最大的样本</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>sample</source>
            <translation>样本</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>class in FP32</source>
            <translation>FP32 的类别</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>class now</source>
            <translation>现在的类别</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>No data was given, so nothing is known of it: random input is good for speed only.</source>
            <translation>没有给出数据，因此无从得知：随机输入只能用来测速度。</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>What was measured, and where</source>
            <translation>测量对象与环境</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>Times are of one logged run: good for shares, not for latencies.</source>
            <translation>时间取自一次带日志的运行：可用于看占比，不能当作延迟。</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>Set by hand</source>
            <translation>手动设置</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>tensor or layer</source>
            <translation>张量或层</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>range or number format</source>
            <translation>范围或数值格式</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>what became of it</source>
            <translation>结果</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>Settings</source>
            <translation>设置</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>Read back from the process that was measured:</source>
            <translation>从被测进程回读：</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>To do it again</source>
            <translation>如何复现</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>Save the settings above as config.toml. This measures them:</source>
            <translation>将上面的设置保存为 config.toml，然后测量：</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>And this makes a folder of them that runs by itself on the target:</source>
            <translation>生成可在目标机器上独立运行的文件夹：</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>Remarks</source>
            <translation>备注</translation>
        </message>
        <message>
            <location filename="resources/report/report.html.jinja" />
            <source>Trial {0}, measured {1}, study {2}.</source>
            <translation>试验 {0}，测于 {1}，研究 {2}。</translation>
        </message>
        <message>
            <location filename="sample_models/samples.toml" />
            <source>EfficientNet-Lite0 (ImageNet)</source>
            <translation>EfficientNet-Lite0 (ImageNet)</translation>
        </message>
        <message>
            <location filename="sample_models/samples.toml" />
            <source>Real weights and photographs: shows what INT8 does to accuracy. Pads with separate layers.</source>
            <translation>真实权重与真实照片：可以看到 INT8 对准确度的影响。填充由单独的层完成。</translation>
        </message>
        <message>
            <location filename="sample_models/samples.toml" />
            <source>ResNet-18</source>
            <translation>ResNet-18</translation>
        </message>
        <message>
            <location filename="sample_models/samples.toml" />
            <source>Untrained: for speed only, its answers mean nothing. Batch norms are settled on photographs.</source>
            <translation>未经训练：仅用于测速，输出没有意义。批归一化参数已用照片稳定。</translation>
        </message>
        <message>
            <location filename="sample_models/samples.toml" />
            <source>ResNet-50</source>
            <translation>ResNet-50</translation>
        </message>
        <message>
            <location filename="sample_models/samples.toml" />
            <source>MobileNetV2</source>
            <translation>MobileNetV2</translation>
        </message>
        <message>
            <location filename="sample_models/samples.toml" />
            <source>Digits, fully connected</source>
            <translation>手写数字，全连接网络</translation>
        </message>
        <message>
            <location filename="sample_models/samples.toml" />
            <source>Trained on handwritten digits; takes grey values 0..16 as they are. Small enough that overhead rules.</source>
            <translation>用手写数字训练；直接接收 0..16 的灰度值。模型很小，开销占主导。</translation>
        </message>
        <message>
            <location filename="sample_models/samples.toml" />
            <source>Digits, convolutional</source>
            <translation>手写数字，卷积网络</translation>
        </message>
        <message>
            <location filename="sample_models/samples.toml" />
            <source>Trained on handwritten digits; takes grey values 0..16 as they are. Needs no extra package.</source>
            <translation>用手写数字训练；直接接收 0..16 的灰度值。不需要额外的软件包。</translation>
        </message>
        <message>
            <location filename="sample_models/samples.toml" />
            <source>Vibration LSTM</source>
            <translation>振动 LSTM</translation>
        </message>
        <message>
            <location filename="sample_models/samples.toml" />
            <source>Trained on simulated machine vibration in converter counts: healthy, imbalance, misalignment, bearing.</source>
            <translation>用仿真的机器振动（转换器计数值）训练：正常、不平衡、不对中、轴承故障。</translation>
        </message>
        <message>
            <location filename="sample_models/samples.toml" />
            <source>Digits by day and night, with broken scales</source>
            <translation>昼夜手写数字，比例因子有缺陷</translation>
        </message>
        <message>
            <location filename="sample_models/samples.toml" />
            <source>Right in FP32, garbage in INT8: calibration never saw the night, and rare spikes stretch one range.</source>
            <translation>FP32 下正确，INT8 下全错：校准从未见过夜间数据，且偶发尖峰撑大了一处范围。</translation>
        </message>
        <message>
            <location filename="sample_models/samples.toml" />
            <source>Detector with boxes and scores in one output</source>
            <translation>检测器，边界框与得分在同一个输出中</translation>
        </message>
        <message>
            <location filename="sample_models/samples.toml" />
            <source>Untrained. INT8 rounds all scores to 0 while the cosine stays 1: they share a scale with pixel coordinates.</source>
            <translation>未经训练。INT8 把所有得分都舍入为 0，而余弦仍为 1：得分与像素坐标共用一个比例因子。</translation>
        </message>
        <message>
            <location filename="workbench/core/accuracy.py" />
            <source>output '{0}' exists in the candidate only</source>
            <translation>输出“{0}”只存在于被测模型中</translation>
        </message>
        <message>
            <location filename="workbench/core/accuracy.py" />
            <source>output '{0}' is missing in the candidate</source>
            <translation>被测模型缺少输出“{0}”</translation>
        </message>
        <message>
            <location filename="workbench/core/accuracy.py" />
            <source>output '{0}' has shape {1} where FP32 gives {2}</source>
            <translation>输出“{0}”的形状是 {1}，而 FP32 给出的是 {2}</translation>
        </message>
        <message>
            <location filename="workbench/core/accuracy.py" />
            <source>output '{0}' is NaN or infinite in FP32 itself</source>
            <translation>输出“{0}”在 FP32 下本身就含 NaN 或无穷大</translation>
        </message>
        <message>
            <location filename="workbench/core/accuracy.py" />
            <source>is NaN or infinite where FP32 is not</source>
            <translation>含 NaN 或无穷大，而 FP32 没有</translation>
        </message>
        <message>
            <location filename="workbench/core/accuracy.py" />
            <source>differs where FP32 is not finite</source>
            <translation>在 FP32 非有限值处与 FP32 不同</translation>
        </message>
        <message>
            <location filename="workbench/core/accuracy.py" />
            <source>output '{0}' {1}</source>
            <translation>输出“{0}”{1}</translation>
        </message>
        <message>
            <location filename="workbench/core/accuracy.py" />
            <location filename="workbench/core/data.py" />
            <location filename="workbench/core/model.py" />
            <location filename="workbench/core/slices.py" />
            <location filename="workbench/engines/torch_align.py" />
            <location filename="workbench/study/runner.py" />
            <source> and {0} more</source>
            <translation> 等，另有 {0} 个</translation>
        </message>
        <message>
            <location filename="workbench/core/accuracy.py" />
            <source>{0} (sample '{1}'{2})</source>
            <translation>{0}（样本“{1}”{2}）</translation>
        </message>
        <message>
            <location filename="workbench/core/accuracy.py" />
            <source>nothing was compared</source>
            <translation>没有可比较的内容</translation>
        </message>
        <message>
            <location filename="workbench/core/accuracy.py" />
            <source>unusable: </source>
            <translation>不可用：</translation>
        </message>
        <message>
            <location filename="workbench/core/accuracy.py" />
            <source>mean cosine {0}</source>
            <translation>平均余弦 {0}</translation>
        </message>
        <message>
            <location filename="workbench/core/accuracy.py" />
            <source>, same top-1 class in {0}</source>
            <translation>，top-1 类别一致率 {0}</translation>
        </message>
        <message>
            <location filename="workbench/core/accuracy.py" />
            <source>barely moved</source>
            <translation>几乎没有变化</translation>
        </message>
        <message>
            <location filename="workbench/core/accuracy.py" />
            <source>moved a little</source>
            <translation>略有变化</translation>
        </message>
        <message>
            <location filename="workbench/core/accuracy.py" />
            <source>, class probabilities {0}: KL {1}</source>
            <translation>，类别概率{0}：KL {1}</translation>
        </message>
        <message>
            <location filename="workbench/core/accuracy.py" />
            <source>practically the same as FP32 ({0})</source>
            <translation>与 FP32 几乎相同（{0}）</translation>
        </message>
        <message>
            <location filename="workbench/core/accuracy.py" />
            <source>close to FP32 ({0})</source>
            <translation>接近 FP32（{0}）</translation>
        </message>
        <message>
            <location filename="workbench/core/accuracy.py" />
            <source>visibly different from FP32 ({0})</source>
            <translation>与 FP32 有明显差异（{0}）</translation>
        </message>
        <message>
            <location filename="workbench/core/accuracy.py" />
            <source>far from FP32 ({0})</source>
            <translation>与 FP32 相差很大（{0}）</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>graph.mode=optimized does not exist for engine ipex: it is stock PyTorch's own optimizer.</source>
            <translation>引擎 ipex 没有 graph.mode=optimized：那是原版 PyTorch 自己的优化器。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>Use graph.mode=frozen.</source>
            <translation>请使用 graph.mode=frozen。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>engine=ipex precision=int8 needs graph.mode=frozen: its INT8 kernels are put in when the graph is frozen.</source>
            <translation>engine=ipex precision=int8 需要 graph.mode=frozen：INT8 内核是在冻结图时放入的。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>Leave graph.mode out, or set it to frozen.</source>
            <translation>请不要设置 graph.mode，或将其设为 frozen。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>engine=onnxruntime has no BF16 on CPUs.</source>
            <translation>engine=onnxruntime 在 CPU 上没有 BF16。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>Use engine=ipex or engine=torch for BF16.</source>
            <translation>需要 BF16 时请使用 engine=ipex 或 engine=torch。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>quantization.format=qoperator with signed activations and signed weights computes wrong results on x86.</source>
            <translation>quantization.format=qoperator 配合有符号激活和有符号权重，在 x86 上会算出错误结果。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>Use quantization.format=qdq, or quantization.activation=quint8.</source>
            <translation>请使用 quantization.format=qdq，或 quantization.activation=quint8。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>ONNX Runtime has no kernels for signed activations with unsigned weights.</source>
            <translation>ONNX Runtime 没有“有符号激活 + 无符号权重”的内核。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>Use quantization.weight=qint8, or quantization.activation=quint8.</source>
            <translation>请使用 quantization.weight=qint8，或 quantization.activation=quint8。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>Full-range per-channel INT8 overflows 16-bit sums on a target without VNNI.</source>
            <translation>在没有 VNNI 的目标上，全范围逐通道 INT8 会使 16 位累加溢出。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>Leave quantization.range at auto, or set quantization.weight=quint8.</source>
            <translation>请让 quantization.range 保持 auto，或设置 quantization.weight=quint8。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>PyTorch's dynamic kernels always use the reduced range.</source>
            <translation>PyTorch 的动态量化内核始终使用缩减范围。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>Leave quantization.range out.</source>
            <translation>请不要设置 quantization.range。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>engine=ipex has no dynamic INT8 here.</source>
            <translation>engine=ipex 在此没有动态 INT8。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>Use engine=torch precision=int8-dynamic, or precision=int8.</source>
            <translation>请使用 engine=torch precision=int8-dynamic，或 precision=int8。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>graph.grad=true only exists in graph.mode=eager: a frozen graph has no gradients.</source>
            <translation>graph.grad=true 仅在 graph.mode=eager 下存在：冻结图没有梯度。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>Set graph.mode=eager or graph.grad=false.</source>
            <translation>请设置 graph.mode=eager 或 graph.grad=false。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>quantization.backend=onednn cannot run with runtime.onednn=false.</source>
            <translation>quantization.backend=onednn 不能与 runtime.onednn=false 同时使用。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>Set runtime.onednn=true, or quantization.backend=fbgemm.</source>
            <translation>请设置 runtime.onednn=true，或 quantization.backend=fbgemm。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>runtime.affinity and runtime.numa_node both choose the CPUs.</source>
            <translation>runtime.affinity 和 runtime.numa_node 都会选定 CPU。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>Set one of them.</source>
            <translation>请只设置其中一个。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>Layer precisions mean something only under precision int8 or bf16.</source>
            <translation>逐层精度仅在 precision 为 int8 或 bf16 时有意义。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>Set precision=int8, or leave the [layers] table out.</source>
            <translation>请设置 precision=int8，或去掉 [layers] 表。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>Keeping single layers out of BF16 is not possible with these engines.</source>
            <translation>这些引擎无法让个别层不使用 BF16。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>Use precision=int8 for layer precisions.</source>
            <translation>要逐层设置精度，请使用 precision=int8。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>A BF16 layer inside an INT8 model is not possible with these engines.</source>
            <translation>这些引擎无法在 INT8 模型中使用 BF16 层。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>Use precision = "fp32" for that layer.</source>
            <translation>请为该层使用 precision = "fp32"。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>Ranges fixed by hand mean something only under precision int8.</source>
            <translation>手动固定的范围仅在 precision=int8 时有意义。</translation>
        </message>
        <message>
            <location filename="workbench/core/combinations.py" />
            <source>Set precision=int8, or leave the [fixes] table out.</source>
            <translation>请设置 precision=int8，或去掉 [fixes] 表。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>engine '{0}' does not have it (only {1})</source>
            <translation>引擎“{0}”没有此项（仅 {1} 有）</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>precision '{0}' does not use it (only {1})</source>
            <translation>精度“{0}”不使用此项（仅 {1} 使用）</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>The [preprocess] table is not valid.</source>
            <translation>[preprocess] 表无效。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>Keys: {0}.</source>
            <translation>可用的键：{0}。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>'{0}' must be a table.</source>
            <translation>“{0}”必须是一个表。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <location filename="workbench/export/report.py" />
            <source>It is {0}.</source>
            <translation>它是{0}。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>See the README's example.</source>
            <translation>请参考 README 中的示例。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>the config</source>
            <translation>配置</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>Cannot read the config file {0}.</source>
            <translation>无法读取配置文件 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>{0} is not valid TOML.</source>
            <translation>{0} 不是有效的 TOML。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>Correct that line.</source>
            <translation>请改正该行。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>'{0}' is not KEY=VALUE.</source>
            <translation>“{0}”不符合 KEY=VALUE 的形式。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>A setting needs an equals sign.</source>
            <translation>设置项需要等号。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>Example: --set precision=int8</source>
            <translation>示例：--set precision=int8</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>'{0}' is not a valid key.</source>
            <translation>“{0}”不是有效的键。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>Example: --set 'layers."conv1".precision=fp32'</source>
            <translation>示例：--set 'layers."conv1".precision=fp32'</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>There is no knob '{0}'.</source>
            <translation>没有名为“{0}”的旋钮。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>It must be {0}.</source>
            <translation>必须是{0}。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>true or false</source>
            <translation>true 或 false</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>one of </source>
            <translation>以下之一：</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>a whole number</source>
            <translation>整数</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>a number</source>
            <translation>数值</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>{0} from {1} to {2}</source>
            <translation>{0}，从 {1} 到 {2}</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>'{0}' is not a value of {1}.</source>
            <translation>“{0}”不是 {1} 的有效值。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>The entry for layer '{0}' is not valid.</source>
            <translation>层“{0}”的条目无效。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>A layer entry has one key, precision.</source>
            <translation>层条目只有一个键：precision。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>Example: [layers."{0}"] precision = "fp32"</source>
            <translation>示例：[layers."{0}"] precision = "fp32"</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>'{0}' is not a precision of layer '{1}'.</source>
            <translation>“{0}”不是层“{1}”可用的精度。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>It must be one of {0}.</source>
            <translation>必须是以下之一：{0}。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>The fix on '{0}' is not valid.</source>
            <translation>“{0}”上的固定范围无效。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>A fix has the keys min and max.</source>
            <translation>固定范围的键为 min 和 max。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>min and max must be numbers.</source>
            <translation>min 和 max 必须是数值。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>The fix on '{0}' is not a range.</source>
            <translation>“{0}”上的固定值不构成范围。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>min and max must be finite.</source>
            <translation>min 和 max 必须是有限值。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>min {0} must be below max {1}.</source>
            <translation>min {0} 必须小于 max {1}。</translation>
        </message>
        <message>
            <location filename="workbench/core/config.py" />
            <source>{0} cannot be set here: {1}.</source>
            <translation>此处不能设置 {0}：{1}。</translation>
        </message>
        <message>
            <location filename="workbench/core/data.py" />
            <source>calibration.samples = {0} is not possible.</source>
            <translation>calibration.samples = {0} 不可行。</translation>
        </message>
        <message>
            <location filename="workbench/core/data.py" />
            <source>At least 1 sample is needed.</source>
            <translation>至少需要 1 个样本。</translation>
        </message>
        <message>
            <location filename="workbench/core/data.py" />
            <source>{0} calibration + {1} evaluation of {2}</source>
            <translation>共 {2} 个：{0} 个校准 + {1} 个评估</translation>
        </message>
        <message>
            <location filename="workbench/core/data.py" />
            <source>, shared by both</source>
            <translation>，两者共用</translation>
        </message>
        <message>
            <location filename="workbench/core/data.py" />
            <source>The {0} item '{1}' is not in '{2}'.</source>
            <translation>{0}项“{1}”不在“{2}”中。</translation>
        </message>
        <message>
            <location filename="workbench/core/data.py" />
            <source>There are {0} items.</source>
            <translation>共有 {0} 项。</translation>
        </message>
        <message>
            <location filename="workbench/core/data.py" />
            <source>None of the {0} items can be used.</source>
            <translation>{0} 项全部不可用。</translation>
        </message>
        <message>
            <location filename="workbench/core/data.py" />
            <source>All {0} named ones in '{1}' are broken.</source>
            <translation>“{1}”中指定的 {0} 项全部损坏。</translation>
        </message>
        <message>
            <location filename="workbench/core/data.py" />
            <source>Name others, or repair the files.</source>
            <translation>请指定其他项，或修复文件。</translation>
        </message>
        <message>
            <location filename="workbench/core/data.py" />
            <source>Only {0} calibration sample{1}: ranges taken from fewer than {2} often miss what other inputs reach.</source>
            <translation>只有 {0} 个校准样本：用少于 {2} 个样本得到的范围，常会漏掉其他输入达到的值。</translation>
        </message>
        <message>
            <location filename="workbench/core/data.py" />
            <source>Calibration = evaluation: accuracy is judged on the very samples the ranges were taken from.</source>
            <translation>校准 = 评估：准确度正是用得出范围的那些样本来评判的。</translation>
        </message>
        <message>
            <location filename="workbench/core/data.py" />
            <source>{0} samples serve both calibration and evaluation, which flatters the accuracy.</source>
            <translation>{0} 个样本同时用于校准和评估，准确度会因此偏高。</translation>
        </message>
        <message>
            <location filename="workbench/core/data.py" />
            <source>Skipped '{0}' ({1}){2}.</source>
            <translation>已跳过“{0}”（{1}）{2}。</translation>
        </message>
        <message>
            <location filename="workbench/core/data.py" />
            <source>'{0}' has labels for items that do not exist: '{1}'{2}.</source>
            <translation>“{0}”中有不存在的项的标签：“{1}”{2}。</translation>
        </message>
        <message>
            <location filename="workbench/core/data.py" />
            <source>{0} of {1} evaluation samples have no label; top-1 is taken from the others.</source>
            <translation>{1} 个评估样本中有 {0} 个没有标签；top-1 由其余样本得出。</translation>
        </message>
        <message>
            <location filename="workbench/core/data.py" />
            <source>The labels file '{0}' cannot be read.</source>
            <translation>无法读取标签文件“{0}”。</translation>
        </message>
        <message>
            <location filename="workbench/core/data.py" />
            <source>It must be a CSV file in UTF-8: name,class.</source>
            <translation>必须是 UTF-8 编码的 CSV 文件：name,class。</translation>
        </message>
        <message>
            <location filename="workbench/core/data.py" />
            <source>Line {0} of '{1}' has no class number.</source>
            <translation>“{1}”的第 {0} 行没有类别编号。</translation>
        </message>
        <message>
            <location filename="workbench/core/data.py" />
            <source>It reads {0}; the second column must be a whole number from 0 up.</source>
            <translation>该行内容为 {0}；第二列必须是不小于 0 的整数。</translation>
        </message>
        <message>
            <location filename="workbench/core/data.py" />
            <source>Write the index of the class in the model's output, as in: cat.png,281</source>
            <translation>请写出该类别在模型输出中的索引，例如：cat.png,281</translation>
        </message>
        <message>
            <location filename="workbench/core/dataflow.py" />
            <source>There is no tensor '{0}'.</source>
            <translation>没有名为“{0}”的张量。</translation>
        </message>
        <message>
            <location filename="workbench/core/dataflow.py" />
            <source>The model shows no tensors.</source>
            <translation>该模型没有列出任何张量。</translation>
        </message>
        <message>
            <location filename="workbench/core/dataflow.py" />
            <source>Tensors are LAYER:out, LAYER:in0 and input:NAME; `workbench layers` lists them.</source>
            <translation>张量名为 LAYER:out、LAYER:in0 和 input:NAME；`workbench layers` 会列出它们。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Outputs are broken</source>
            <translation>输出已损坏</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Whatever the averages say, nobody can use such an output.</source>
            <translation>无论平均值如何，这样的输出都无法使用。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Planned in INT8, ran in something else</source>
            <translation>计划为 INT8，实际以其他格式运行</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>The time that was measured is not that of the config that was asked for.</source>
            <translation>测得的时间并非所要求配置的时间。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Fixes were refused</source>
            <translation>固定的范围被拒绝</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>The engine runs with another range than the one that was fixed.</source>
            <translation>引擎实际使用的范围与固定的不同。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Scales are 0 or not finite</source>
            <translation>比例因子为 0 或非有限值</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Every value comes back as the same number, or as none.</source>
            <translation>每个值都会变成同一个数，或者不再是数。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Values are not finite</source>
            <translation>存在非有限值</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>One infinity stretches a range over everything, and no scale can be made of NaN.</source>
            <translation>一个无穷大就会把范围拉到无限，而 NaN 得不出比例因子。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Calibration never came here</source>
            <translation>校准从未到达这里</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Nothing is known of the range, so the scale is a guess.</source>
            <translation>对该范围一无所知，比例因子只是猜测。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Only zeros were seen</source>
            <translation>只见到零</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>The range holds nothing but 0: whatever other pictures bring here is lost.</source>
            <translation>该范围只容纳 0：其他图片在此产生的值都会丢失。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Biases do not fit into int32</source>
            <translation>偏置超出 int32</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>The engine cuts the bias off, and the channel is wrong for every input.</source>
            <translation>引擎会截去偏置，该通道对所有输入都出错。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Values outside the range</source>
            <translation>有值超出范围</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>They all come back as the end of the range.</source>
            <translation>它们都会变成范围的端点值。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Layers that spoil the outputs</source>
            <translation>破坏输出的层</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Most of the error comes from these few: in FP32 they cost some time and give much accuracy back.</source>
            <translation>大部分误差来自这少数几层：改用 FP32 只多花一点时间，却能找回大量准确度。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Unlike ranges under one scale</source>
            <translation>悬殊的范围共用一个比例因子</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>The scale fits the large ones, and the small ones fall into one or two levels.</source>
            <translation>比例因子适合大值，小值只落在一两级上。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Outliers stretch the range</source>
            <translation>离群值拉宽了范围</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>A few large values take the levels that all others need.</source>
            <translation>少数大值占用了其余所有值需要的量化级。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Ranges wider than what is let through</source>
            <translation>范围宽于下一个运算所放行的部分</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Levels are spent on values that the next operation throws away: to cut the range costs nothing.</source>
            <translation>量化级浪费在下一个运算会丢弃的值上：截断范围毫无代价。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Sums that can leave int16</source>
            <translation>求和可能超出 int16</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Without VNNI two products are added in 16 bits, and what does not fit is cut off in silence.</source>
            <translation>没有 VNNI 时，两个乘积以 16 位相加，溢出部分会被悄悄截去。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Many layers are not in INT8</source>
            <translation>许多层不是 INT8</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>They keep the time of FP32, and values are converted back and forth around them.</source>
            <translation>它们仍需 FP32 的时间，前后还要来回转换数值。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Fixes without effect</source>
            <translation>固定的范围未生效</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>This engine has no scale there: the fix changes nothing.</source>
            <translation>该引擎在此没有比例因子：固定不起任何作用。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Channels that never change</source>
            <translation>从不变化的通道</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>They cost time and tell nothing; pruning them is a matter of the model.</source>
            <translation>它们耗费时间却不含信息；剪除与否取决于模型。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Keep the layer that costs the most in FP32.</source>
            <translation>让代价最大的层保持 FP32。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>no INT8 kernel ran here</source>
            <translation>此处没有运行 INT8 内核</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <location filename="workbench/engines/ipex.py" />
            <location filename="workbench/engines/onnxruntime.py" />
            <location filename="workbench/engines/torch.py" />
            <source>kept in FP32 by the config</source>
            <translation>按配置保持 FP32</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>{0} of {1} layers stay in FP32 by design ({2}): {3}</source>
            <translation>{1} 层中有 {0} 层按设计保持 FP32（{2}）：{3}</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>the engine has another scale</source>
            <translation>引擎使用另一个比例因子</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>no scale here</source>
            <translation>此处没有比例因子</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Take the fix back.</source>
            <translation>撤销该固定。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Cut every range to what the next operation lets through.</source>
            <translation>将所有范围截断到下一个运算所放行的部分。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Cut this range alone.</source>
            <translation>只截断该范围。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Keep what gives and reads it in FP32.</source>
            <translation>产生它和读取它的层保持 FP32。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Nothing is known of its range: keep what gives and reads it in FP32, or fix a range by hand.</source>
            <translation>对其范围一无所知：让产生它和读取它的层保持 FP32，或手动固定范围。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Fix the range that has the least squared error on what calibration saw.</source>
            <translation>固定为校准所见数据上平方误差最小的范围。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Fix the range that holds 99.9 % of what calibration saw; values beyond are cut.</source>
            <translation>固定为包含校准所见 99.9 % 的值的范围；超出的值被截断。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>lose the least information</source>
            <translation>信息损失最小</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>hold 99.9 % of the values</source>
            <translation>包含 99.9 % 的值</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Derive all ranges anew, so that they {0}.</source>
            <translation>重新推导所有范围，使其{0}。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Calibrate on up to {0} samples instead of {1}.</source>
            <translation>用最多 {0} 个样本校准，而不是 {1} 个。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Keep the concatenation, and what reads it, in FP32.</source>
            <translation>让该拼接以及读取它的层保持 FP32。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>joins unlike ranges under one scale: {0} reaches {1}, {2} {3}; keep what feeds it in FP32</source>
            <translation>把差别很大的范围并到一个比例因子下：{0} 达到 {1}，{2} 达到 {3}；请让其输入层保持 FP32</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>int16 sums can overflow in {0} of {1} channels without VNNI</source>
            <translation>没有 VNNI 时，{1} 个通道中有 {0} 个的 int16 累加可能溢出</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Take 7 bits for activations: then no sum of two products leaves int16.</source>
            <translation>激活取 7 位：两个乘积之和便不会超出 int16。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>the bias of {0} channels does not fit into int32</source>
            <translation>{0} 个通道的偏置超出 int32</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>{0} of {1} channels never change</source>
            <translation>{1} 个通道中有 {0} 个从不变化</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>without it in INT8 the outputs would be at {0} dB instead of {1} dB</source>
            <translation>若它不用 INT8，输出将为 {0} dB，而不是 {1} dB</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>it alone in INT8 leaves {0} dB at the outputs, all layers together {1} dB</source>
            <translation>仅它为 INT8 时输出为 {0} dB，全部层为 INT8 时为 {1} dB</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>Keep it in FP32.</source>
            <translation>让它保持 FP32。</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>its scale is {0}</source>
            <translation>其比例因子为 {0}</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>calibration never reached it</source>
            <translation>校准从未到达此处</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>{0} of its values are not finite</source>
            <translation>{0} 的值不是有限值</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>only zeros were seen: any other value is lost</source>
            <translation>只见过零：任何其他值都会丢失</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>its scale is {0}, its values reach from {1} to {2}</source>
            <translation>其比例因子为 {0}，其值从 {1} 到 {2}</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>{0} of its values lie outside the range</source>
            <translation>{0} 的值位于范围之外</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>outliers: the range is {0}× what 99.8 % of the values need</source>
            <translation>离群值：范围是 99.8 % 的值所需的 {0}×</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>outliers: its extremes reach {0}× as far as 99.8 % of the values</source>
            <translation>离群值：极值达到 99.8 % 的值的 {0}×</translation>
        </message>
        <message>
            <location filename="workbench/core/findings.py" />
            <source>{0} of its range is never looked at: the next operation lets {1} through</source>
            <translation>其范围的 {0} 从不被读取：下一个运算只放行 {1}</translation>
        </message>
        <message>
            <location filename="workbench/core/fix_states.py" />
            <location filename="workbench/core/ranges.py" />
            <location filename="workbench/core/trial.py" />
            <location filename="workbench/study/runner.py" />
            <source>not quantized by this engine</source>
            <translation>该引擎不量化此张量</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>What executes the model.</source>
            <translation>由什么来执行模型。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Number format of the heavy layers.</source>
            <translation>计算密集层的数值格式。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>proof counts</source>
            <translation>核实计数</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>How the graph is prepared: as written, traced and frozen, or optimized for inference.</source>
            <translation>计算图的准备方式：保持原样、跟踪并冻结，或为推理优化。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>proof kernels</source>
            <translation>核实到的内核</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Leave gradients on: only to show what that costs.</source>
            <translation>保留梯度：仅用于展示其代价。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Move separate zero padding into the convolution behind it; exact, checked in float64.</source>
            <translation>把单独的零填充并入其后的卷积；结果精确，已用 float64 检验。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Keep images as NHWC in memory, the order that vector kernels read.</source>
            <translation>图像在内存中按 NHWC 存放，即向量内核读取的顺序。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Fill the channels of convolutions up with zeros to a multiple of this, the kernels' block; exact, checked in float64. Not for .onnx files.</source>
            <translation>用零把卷积的通道补足到此数（内核的块大小）的整数倍；精确，并以 float64 检验。不适用于 .onnx 文件。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>layers, warnings</source>
            <translation>层、警告</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Start the input on a 64-byte boundary; off shifts it by 4 bytes to show what that costs.</source>
            <translation>让输入从 64 字节边界开始；关闭则偏移 4 字节，以展示其代价。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>How the range of a tensor is derived from what calibration saw.</source>
            <translation>如何由校准所见的数据得出张量的范围。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Weight of the past for the moving average.</source>
            <translation>滑动平均中历史值的权重。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Share of values that a percentile range keeps.</source>
            <translation>百分位范围所保留的数值比例。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>How many samples calibration may use.</source>
            <translation>校准最多使用多少个样本。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Full 8 bit, or activations reduced to 7 bit so that int16 pair sums cannot overflow; auto follows target_isa.</source>
            <translation>使用完整 8 位，或将激活缩减到 7 位，使 int16 成对累加不会溢出；auto 由 target_isa 决定。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>config, tensors</source>
            <translation>配置、张量</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Cut the range of a tensor to what the next operation (ReLU, ReLU6, clamp) lets through.</source>
            <translation>把张量的范围截到下一个运算（ReLU、ReLU6、clamp）允许通过的部分。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>One weight scale per output channel instead of one per tensor.</source>
            <translation>每个输出通道一个权重比例因子，而不是整个张量一个。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Kernel library of PyTorch's quantized operators.</source>
            <translation>PyTorch 量化算子所用的内核库。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Activations as unsigned (affine) or signed (symmetric) 8 bit.</source>
            <translation>激活采用无符号（仿射）或有符号（对称）8 位。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Weights as signed (symmetric) or unsigned 8 bit.</source>
            <translation>权重采用有符号（对称）或无符号 8 位。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Quantize-dequantize pairs that the runtime fuses, or quantized operators written out.</source>
            <translation>由运行时融合的“量化-反量化”对，或直接写出的量化算子。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Preview of another machine: its instruction set decides the quantized range; latencies stay this CPU's.</source>
            <translation>预览另一台机器：由其指令集决定量化范围；延迟仍是本机 CPU 的。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Threads inside one operation; 0 = physical cores that may be used, -1 = the library's own choice.</source>
            <translation>单个运算内的线程数；0 = 可用的物理核数，-1 = 由库自行决定。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Threads between independent operations.</source>
            <translation>相互独立的运算之间的线程数。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>CPUs that the worker may use, like 0-3,8; empty = all that may be used.</source>
            <translation>工作进程可使用的 CPU，如 0-3,8；留空 = 所有可用的 CPU。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Use only the CPUs and the memory of this NUMA node; -1 = any.</source>
            <translation>只用此 NUMA 节点的 CPU 和内存；-1 = 任意。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>effective.affinity, effective.memory_node</source>
            <translation>effective.affinity、effective.memory_node</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Let stock PyTorch use oneDNN kernels.</source>
            <translation>允许原版 PyTorch 使用 oneDNN 内核。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>OpenMP runtime: the wheel's own, or Intel's (preloaded).</source>
            <translation>OpenMP 运行时：软件包自带的，或 Intel 的（预加载）。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>What idle OpenMP threads do: active spins (better median), passive sleeps (better neighbours).</source>
            <translation>空闲的 OpenMP 线程做什么：active 自旋（中位数更好），passive 休眠（对其他进程更友好）。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Idle threads of ONNX Runtime wait busily: better median, worse for everything else on the machine.</source>
            <translation>ONNX Runtime 的空闲线程忙等：中位数更好，但对机器上的其他程序不利。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>How far ONNX Runtime rewrites the graph when it loads it.</source>
            <translation>ONNX Runtime 加载计算图时改写的程度。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Memory allocator, preloaded where it is not the system's.</source>
            <translation>内存分配器；若不是系统自带的，则预加载。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Preview of an older CPU: forbid newer instructions.</source>
            <translation>预览较旧的 CPU：禁用较新的指令。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Treat numbers below 1e-38 as zero; they are slow on some CPUs.</source>
            <translation>把小于 1e-38 的数当作零；它们在某些 CPU 上很慢。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Samples per run.</source>
            <translation>每次运行的样本数。</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>{0} to {1}</source>
            <translation>{0} 至 {1}</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Graph</source>
            <translation>计算图</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Calibration</source>
            <translation>校准</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Quantization</source>
            <translation>量化</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Runtime</source>
            <translation>运行时</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Run</source>
            <translation>运行</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Precision</source>
            <translation>精度</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Mode</source>
            <translation>模式</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Grad</source>
            <translation>梯度</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Fold padding</source>
            <translation>填充折叠</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Channels last</source>
            <translation>通道末置</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Align channels</source>
            <translation>通道对齐</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Aligned input</source>
            <translation>输入对齐</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Observer</source>
            <translation>观测器</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Decay</source>
            <translation>衰减</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Percentile</source>
            <translation>百分位</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Samples</source>
            <translation>样本数</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Range</source>
            <translation>范围</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Clamp ranges</source>
            <translation>范围截断</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Per channel</source>
            <translation>逐通道</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Backend</source>
            <translation>后端</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Activation</source>
            <translation>激活</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Weight</source>
            <translation>权重</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Target ISA</source>
            <translation>目标指令集</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Interop threads</source>
            <translation>算子间线程</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Affinity</source>
            <translation>亲和性</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>NUMA node</source>
            <translation>NUMA 节点</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>oneDNN</source>
            <translation>oneDNN</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Wait policy</source>
            <translation>等待策略</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Spin</source>
            <translation>自旋</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Graph optimization</source>
            <translation>图优化</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>ISA limit</source>
            <translation>指令集上限</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Flush denormals</source>
            <translation>清零非规格化数</translation>
        </message>
        <message>
            <location filename="workbench/core/knobs.py" />
            <source>Batch</source>
            <translation>批大小</translation>
        </message>
        <message>
            <location filename="workbench/core/latency.py" />
            <source>no samples</source>
            <translation>没有样本</translation>
        </message>
        <message>
            <location filename="workbench/core/latency.py" />
            <source>the warm-up did not settle</source>
            <translation>预热未稳定</translation>
        </message>
        <message>
            <location filename="workbench/core/latency.py" />
            <source>drifting: the last third is {0} {1}</source>
            <translation>有漂移：最后三分之一{1}了 {0}</translation>
        </message>
        <message>
            <location filename="workbench/core/latency.py" />
            <source>noisy: one run in ten takes {0}× the median or more</source>
            <translation>有噪声：十次运行中有一次达到中位数的 {0}× 或更多</translation>
        </message>
        <message>
            <location filename="workbench/core/latency.py" />
            <source>quiet as far as a handful of samples can tell</source>
            <translation>就少数几个样本而言是平稳的</translation>
        </message>
        <message>
            <location filename="workbench/core/latency.py" />
            <source>; worst run {0}× the median</source>
            <translation>；最慢一次为中位数的 {0}×</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Write --input [NAME=]SHAPE[:DTYPE], for example 1x3x224x224 or ids=1x?:int64 ('?' is a dynamic axis).</source>
            <translation>请写 --input [NAME=]SHAPE[:DTYPE]，例如 1x3x224x224 或 ids=1x?:int64（“?”表示动态轴）。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>--input {0} has no name before '='.</source>
            <translation>--input {0} 的“=”前没有名称。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>--input {0}: there is no data type {1}.</source>
            <translation>--input {0}：没有数据类型 {1}。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Input '{0}' cannot run at batch {1}.</source>
            <translation>输入“{0}”不能以批大小 {1} 运行。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Its first axis is fixed to {0} ({1}).</source>
            <translation>其第一个轴固定为 {0}（{1}）。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Use run.batch = 1, or, where the model allows it, a dynamic axis: --input {0}</source>
            <translation>请使用 run.batch = 1，或在模型允许时使用动态轴：--input {0}</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>{0} takes no --weights and no --input.</source>
            <translation>{0} 不接受 --weights 和 --input。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>A sample brings both.</source>
            <translation>示例自带这两者。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Leave them out.</source>
            <translation>请去掉它们。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>--weights needs a model given as FILE.py:callable.</source>
            <translation>--weights 需要以 FILE.py:callable 形式给出的模型。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>{0} is a file that brings its own weights.</source>
            <translation>{0} 是自带权重的文件。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Leave --weights out, or name the Python function that builds the model.</source>
            <translation>请去掉 --weights，或指定构建该模型的 Python 函数。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>{0} holds weights, but no model.</source>
            <translation>{0} 只含权重，没有模型。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>It is {0}: names and numbers, not what to compute with them.</source>
            <translation>它是{0}：只有名称和数值，没有说明如何用它们计算。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Name the function that builds the model: workbench … model.py:build --weights {0}</source>
            <translation>请指定构建模型的函数：workbench … model.py:build --weights {0}</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Two inputs are called '{0}'.</source>
            <translation>有两个输入都叫“{0}”。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Give every --input its own NAME=.</source>
            <translation>请给每个 --input 写上各自的 NAME=。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>--input {0} is no shape.</source>
            <translation>--input {0} 不是形状。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>'{0}' is neither a positive whole number nor '?'.</source>
            <translation>“{0}”既不是正整数，也不是“?”。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>An axis is empty.</source>
            <translation>有一个轴为空。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>{0} is a folder, not a model file.</source>
            <translation>{0} 是文件夹，不是模型文件。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>It looks like a TensorFlow SavedModel.</source>
            <translation>它看起来是 TensorFlow SavedModel。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Name one of its files: </source>
            <translation>请指定其中一个文件：</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Name a file.</source>
            <translation>请指定一个文件。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>There is no file {0}.</source>
            <translation>没有文件 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>{0} is no regular file.</source>
            <translation>{0} 不是普通文件。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Did you mean '{0}{1}'?</source>
            <translation>是否想输入“{0}{1}”？</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>The folder {0} does not exist either.</source>
            <translation>文件夹 {0} 也不存在。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Known samples: {0}.</source>
            <translation>已知的示例：{0}。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>has the unknown extension '{0}'</source>
            <translation>带有未知的扩展名“{0}”</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>has no extension</source>
            <translation>没有扩展名</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>says '{0}'</source>
            <translation>名为“{0}”</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>{0} {1}, but it is {2}.</source>
            <translation>{0} {1}，但它其实是{2}。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Extension and content have to agree, so that nobody takes the file for something else.</source>
            <translation>扩展名与内容必须一致，以免有人误认。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Rename it to {0}.</source>
            <translation>请重命名为 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Loading {0} could run any code, so it was not loaded.</source>
            <translation>加载 {0} 可能会运行任意代码，因此没有加载。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Beyond tensors it wants to import: {0}.</source>
            <translation>除张量外，它还要导入：{0}。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>If you trust where this file comes from, add --trust-pickle (it counts for this file only). Otherwise ask for TorchScript, ONNX, or a state dict together with the model's source.</source>
            <translation>如果信任该文件的来源，请加上 --trust-pickle（仅对该文件有效）。否则请索取 TorchScript、ONNX，或附带模型源码的状态字典。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <location filename="workbench/core/sniff.py" />
            <location filename="workbench/onsite/start.py" />
            <source>{0} cannot be read.</source>
            <translation>无法读取 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>{0} is no state dict.</source>
            <translation>{0} 不是状态字典。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>It is {0}, a whole model.</source>
            <translation>它是{0}，即一个完整的模型。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Give it alone, without {0}: workbench … {1}</source>
            <translation>请单独给出它，不要带 {0}：workbench … {1}</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>{0} is not valid Python.</source>
            <translation>{0} 不是有效的 Python 代码。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Line {0}: {1}.</source>
            <translation>第 {0} 行：{1}。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Correct the file.</source>
            <translation>请改正该文件。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>{0} cannot be read as Python.</source>
            <translation>无法把 {0} 作为 Python 读取。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Check the file.</source>
            <translation>请检查该文件。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>{0} needs the name of what builds the model.</source>
            <translation>{0} 需要给出构建模型者的名称。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>A Python file may define several things.</source>
            <translation>一个 Python 文件可以定义多个对象。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Write {0}:NAME. {1}</source>
            <translation>请写 {0}:NAME。{1}</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>{0} defines no '{1}'.</source>
            <translation>{0} 没有定义“{1}”。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>It defines nothing at its top level.</source>
            <translation>它在顶层没有定义任何东西。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>{0}:{1} cannot be called without arguments.</source>
            <translation>{0}:{1} 不能无参数调用。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>It requires {0}.</source>
            <translation>它要求 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/core/model.py" />
            <source>Write a function without arguments that returns {0}(…), and name that.</source>
            <translation>请写一个返回 {0}(…) 的无参数函数，并指定该函数。</translation>
        </message>
        <message>
            <location filename="workbench/core/outputs.py" />
            <source>The model returns a {0}, which cannot be compared.</source>
            <translation>模型返回了 {0}，无法比较。</translation>
        </message>
        <message>
            <location filename="workbench/core/outputs.py" />
            <source>Outputs must be real-valued tensors, or tuples, lists and dictionaries of them.</source>
            <translation>输出必须是实数张量，或由它们组成的元组、列表和字典。</translation>
        </message>
        <message>
            <location filename="workbench/core/outputs.py" />
            <source>Wrap the model so that it returns tensors only.</source>
            <translation>请包装该模型，使其只返回张量。</translation>
        </message>
        <message>
            <location filename="workbench/core/pickle_scan.py" />
            <source>a name computed at load time</source>
            <translation>在加载时才计算出的名称</translation>
        </message>
        <message>
            <location filename="workbench/core/picture.py" />
            <source>the file is empty</source>
            <translation>文件为空</translation>
        </message>
        <message>
            <location filename="workbench/core/picture.py" />
            <source>OpenCV cannot decode it: {0}</source>
            <translation>OpenCV 无法解码：{0}</translation>
        </message>
        <message>
            <location filename="workbench/core/picture.py" />
            <source>not a picture that OpenCV can decode, or its data is damaged</source>
            <translation>不是 OpenCV 能解码的图片，或其数据已损坏</translation>
        </message>
        <message>
            <location filename="workbench/core/picture.py" />
            <source>its pixels are {0}, which have no known range; store it as .npy instead</source>
            <translation>其像素类型为 {0}，取值范围未知；请改存为 .npy</translation>
        </message>
        <message>
            <location filename="workbench/core/picture.py" />
            <source>it has {0} channels; 1 to 4 are understood</source>
            <translation>它有 {0} 个通道；只支持 1 到 4 个</translation>
        </message>
        <message>
            <location filename="workbench/core/picture.py" />
            <source>the PNG is damaged: wrong checksum in {0}</source>
            <translation>PNG 已损坏：{0} 的校验和错误</translation>
        </message>
        <message>
            <location filename="workbench/core/picture.py" />
            <source>the PNG is cut off</source>
            <translation>PNG 不完整</translation>
        </message>
        <message>
            <location filename="workbench/core/picture.py" />
            <source>the JPEG is cut off</source>
            <translation>JPEG 不完整</translation>
        </message>
        <message>
            <location filename="workbench/core/pixels.py" />
            <source>no extent</source>
            <translation>没有边长</translation>
        </message>
        <message>
            <location filename="workbench/core/preprocess.py" />
            <source>every value must differ from zero, because pixels are divided by it</source>
            <translation>每个值都不能为零，因为像素要除以它</translation>
        </message>
        <message>
            <location filename="workbench/core/preprocess.py" />
            <source>without preprocess.size nothing is resized; set a size as well</source>
            <translation>没有 preprocess.size 就不会缩放；请同时设置大小</translation>
        </message>
        <message>
            <location filename="workbench/core/preprocess.py" />
            <source>the picture has no pixels</source>
            <translation>图片没有像素</translation>
        </message>
        <message>
            <location filename="workbench/core/preprocess.py" />
            <source>one value</source>
            <translation>一个值</translation>
        </message>
        <message>
            <location filename="workbench/core/preprocess.py" />
            <source>one value or {0}, one per channel</source>
            <translation>一个值，或 {0} 个值（每通道一个）</translation>
        </message>
        <message>
            <location filename="workbench/core/preprocess.py" />
            <source>{0}, because color = '{1}'</source>
            <translation>{0}，因为 color = '{1}'</translation>
        </message>
        <message>
            <location filename="workbench/core/preprocess.py" />
            <source>finite numbers in 0..255 pixel units</source>
            <translation>以 0..255 像素单位表示的有限数值</translation>
        </message>
        <message>
            <location filename="workbench/core/preprocess.py" />
            <source>at most the resized picture it is cut from: {0}×{1} (height×width)</source>
            <translation>不超过被裁剪的缩放后图片：{0}×{1}（高×宽）</translation>
        </message>
        <message>
            <location filename="workbench/core/preprocess.py" />
            <source>one number or (height, width), each from 1 to 32768</source>
            <translation>一个数，或 (高, 宽)，均在 1 到 32768 之间</translation>
        </message>
        <message>
            <location filename="workbench/core/preprocess.py" />
            <source>one of {0}</source>
            <translation>以下之一：{0}</translation>
        </message>
        <message>
            <location filename="workbench/core/preprocess.py" />
            <source>preprocess.{0} = {1} is not possible.</source>
            <translation>preprocess.{0} = {1} 不可行。</translation>
        </message>
        <message>
            <location filename="workbench/core/preprocess.py" />
            <source>Allowed: {0}.</source>
            <translation>允许的值：{0}。</translation>
        </message>
        <message>
            <location filename="workbench/core/preprocess.py" />
            <source>Change preprocess.{0}.</source>
            <translation>请修改 preprocess.{0}。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>Preset '{0}' is not for engine '{1}'.</source>
            <translation>预设“{0}”不适用于引擎“{1}”。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>It is for {0}.</source>
            <translation>它适用于 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>Set engine={0}, or choose another preset.</source>
            <translation>请设置 engine={0}，或选择其他预设。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>Preset '{0}' needs {1}.</source>
            <translation>预设“{0}”需要 {1}。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <location filename="workbench/errors.py" />
            <location filename="workbench/onsite/start.py" />
            <source> or </source>
            <translation> 或 </translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>None of them can be used here.</source>
            <translation>这里一个都不可用。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>Few cores</source>
            <translation>核少</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>Up to four cores: one thread per physical core and none beside them, and INT8, because nothing else gets more arithmetic out of a core.</source>
            <translation>至多四核：每个物理核一个线程，此外没有别的线程；并用 INT8，因为没有别的办法让一个核完成更多运算。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>ResNet-18, IPEX INT8: 4.7 with 2 threads on 2 cores, 5.8 to 6.2 with 4, 8.8 with 1. FP32: 17.5.</source>
            <translation>ResNet-18，IPEX INT8：2 核上 2 线程 4.7，4 线程 5.8 至 6.2，1 线程 8.8。FP32：17.5。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>Old CPU</source>
            <translation>旧 CPU</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>AVX2 without VNNI: INT8 gains less, and pairs of products overflow 16 bits unless activations keep to 7 bits.</source>
            <translation>有 AVX2 而无 VNNI：INT8 收益较小，而且除非激活限于 7 位，否则成对的乘积会溢出 16 位。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>ResNet-18, IPEX INT8: 9.2 when limited to AVX2, 4.6 with VNNI; FP32 17.5 on both. EfficientNet-Lite0 on a CPU without VNNI: 7.6 in INT8, 9.1 in FP32, ONNX Runtime both.</source>
            <translation>ResNet-18，IPEX INT8：限于 AVX2 时 9.2，有 VNNI 时 4.6；FP32 两者都是 17.5。EfficientNet-Lite0 在没有 VNNI 的 CPU 上：INT8 7.6，FP32 9.1，都是 ONNX Runtime。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>Slow memory</source>
            <translation>内存慢</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>One memory channel, or a large model at batch 1: the time goes into reading weights, and INT8 weights are a quarter of the bytes.</source>
            <translation>只有一个内存通道，或大模型以批量 1 运行：时间花在读取权重上，而 INT8 权重只有四分之一的字节。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>MLP 256-1024-1024-512-10, which reads every weight once, IPEX: 0.16 in FP32, 0.10 in BF16, 0.04 in INT8.</source>
            <translation>MLP 256-1024-1024-512-10，每个权重只读一次，IPEX：FP32 0.16，BF16 0.10，INT8 0.04。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>Model under 5 MB</source>
            <translation>小于 5 MB 的模型</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>Small layers end before INT8 has paid for converting to and from it, so that accuracy is given away for nothing: FP32 with the graph optimized as a whole. Measure INT8 beside it before you take it.</source>
            <translation>小的层在 INT8 抵回转换代价之前就已结束，精度就白白损失了：用 FP32 并对整个计算图做优化。采用 INT8 之前请并排测量。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>digits-cnn on a CPU without VNNI, ONNX Runtime, one thread: 0.139 in FP32, 0.130 in INT8, no difference shown.</source>
            <translation>digits-cnn 在没有 VNNI 的 CPU 上，ONNX Runtime，一个线程：FP32 0.139，INT8 0.130，看不出差别。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>Recurrent net</source>
            <translation>循环网络</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>LSTM and GRU multiply small matrices step by step: their weights in INT8 are what helps, and static INT8 leaves recurrent layers in FP32 on most engines.</source>
            <translation>LSTM 和 GRU 一步一步地做小矩阵乘法：有用的是把权重变为 INT8，而静态 INT8 在多数引擎上让循环层保持 FP32。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>LSTM 64→256×2, 50 steps: 1.18 in FP32 and 0.83 in INT8 by ONNX Runtime; 1.33 in FP32 by PyTorch.</source>
            <translation>LSTM 64→256×2，50 步：ONNX Runtime 的 FP32 1.18、INT8 0.83；PyTorch 的 FP32 1.33。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>Object detector</source>
            <translation>目标检测器</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>Boxes and scores differ in size: under one scale the scores become zero. Ranges of all values that occur, one scale per channel; then keep the layers in FP32 that `workbench layers` names.</source>
            <translation>框与得分大小悬殊：共用一个比例时得分会变成零。取所有出现过的值的范围，每通道一个比例；然后把 `workbench layers` 指出的层保持为 FP32。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>Detectors that return only zero scores after quantization are a usual complaint (microsoft/onnxruntime#14233, ultralytics/ultralytics#1695); the sample `boxes` shows and mends it.</source>
            <translation>量化后检测器的得分全为零是常见的抱怨（microsoft/onnxruntime#14233、ultralytics/ultralytics#1695）；示例 `boxes` 展示并修复了它。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>Safety-critical: FP32</source>
            <translation>安全关键：FP32</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>No number is rounded to anything coarser than in the original; only exact rewrites and a frozen graph.</source>
            <translation>没有任何数比原模型舍入得更粗；只用精确的改写和冻结的计算图。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>EfficientNet-Lite0: 20.5 as written; with padding folded and the graph frozen 8.8 by PyTorch and 6.3 by IPEX; in float64 the outputs agree to 1e-12.</source>
            <translation>EfficientNet-Lite0：按原样 20.5；折叠填充并冻结计算图后，PyTorch 8.8，IPEX 6.3；以 float64 计算时输出相差不超过 1e-12。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>Balanced: BF16</source>
            <translation>均衡：BF16</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>Half the bytes with FP32's range: no calibration and next to no loss, where the CPU has BF16 instructions.</source>
            <translation>字节减半而范围与 FP32 相同：无需校准，几乎没有损失，前提是 CPU 有 BF16 指令。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>ResNet-18, IPEX: 9.7 in BF16, 17.5 in FP32, 4.7 in INT8. LSTM: 0.91 in PyTorch's BF16, 1.33 in FP32.</source>
            <translation>ResNet-18，IPEX：BF16 9.7，FP32 17.5，INT8 4.7。LSTM：PyTorch 的 BF16 0.91，FP32 1.33。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>Lowest tail</source>
            <translation>最短尾延迟</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>For a deadline that must never be missed: idle threads sleep instead of spinning, which costs some median and takes the worst case away.</source>
            <translation>用于绝不能错过的期限：空闲线程睡眠而不是空转，中位数略有损失，但消除了最坏情况。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>ResNet-18, IPEX INT8, 2,000 runs, passive against default: median 6.2 to 6.6 against 4.7, P99 9.7 to 10 against 11.5 to 13, slowest run 13 to 15 against 102 to 149.</source>
            <translation>ResNet-18，IPEX INT8，2,000 次，passive 对默认：中位数 6.2 至 6.6 对 4.7，P99 9.7 至 10 对 11.5 至 13，最慢一次 13 至 15 对 102 至 149。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>There is no preset '{0}'.</source>
            <translation>没有预设“{0}”。</translation>
        </message>
        <message>
            <location filename="workbench/core/presets.py" />
            <source>`workbench presets` lists them.</source>
            <translation>`workbench presets` 会列出它们。</translation>
        </message>
        <message>
            <location filename="workbench/core/ranges.py" />
            <source>The fix on '{0}' leaves nothing of the range.</source>
            <translation>“{0}”上的固定值使范围变为空。</translation>
        </message>
        <message>
            <location filename="workbench/core/ranges.py" />
            <source>At '{0}', where this engine has a scale, it would be {1} to {2}.</source>
            <translation>在该引擎设有比例因子的“{0}”处，范围将是 {1} 到 {2}。</translation>
        </message>
        <message>
            <location filename="workbench/core/ranges.py" />
            <source>Give both ends, min below max.</source>
            <translation>请同时给出两端，min 小于 max。</translation>
        </message>
        <message>
            <location filename="workbench/core/ranges.py" />
            <source>The fixes of '{0}' and '{1}' contradict each other.</source>
            <translation>“{0}”与“{1}”上的固定值相互矛盾。</translation>
        </message>
        <message>
            <location filename="workbench/core/ranges.py" />
            <source>This engine gives both one scale, that of '{0}'.</source>
            <translation>该引擎让两者共用一个比例因子，即“{0}”的。</translation>
        </message>
        <message>
            <location filename="workbench/core/ranges.py" />
            <source>Give both the same range, or leave one out.</source>
            <translation>请给两者相同的范围，或去掉其中一个。</translation>
        </message>
        <message>
            <location filename="workbench/core/ranges.py" />
            <source>Calibration never reached {0}: no range is known there.</source>
            <translation>校准从未到达 {0}：那里的范围未知。</translation>
        </message>
        <message>
            <location filename="workbench/core/ranges.py" />
            <source>Calibration saw values that are not finite in {0}.</source>
            <translation>校准在 {0} 中见到了非有限值。</translation>
        </message>
        <message>
            <location filename="workbench/core/ranges.py" />
            <source>acts at {0}</source>
            <translation>在 {0} 处起作用</translation>
        </message>
        <message>
            <location filename="workbench/core/ranges.py" />
            <source>the engine has the scale {0} with zero point {1}, the fix asks for {2} with {3}</source>
            <translation>引擎的比例因子为 {0}、零点为 {1}，而固定值要求 {2} 与 {3}</translation>
        </message>
        <message>
            <location filename="workbench/core/ranges.py" />
            <source>Both name the tensor '{0}'.</source>
            <translation>两者指的都是张量“{0}”。</translation>
        </message>
        <message>
            <location filename="workbench/core/ranges.py" />
            <source>Leave one of them out.</source>
            <translation>请去掉其中一个。</translation>
        </message>
        <message>
            <location filename="workbench/core/samples.py" />
            <source>There is no sample '{0}'.</source>
            <translation>没有名为“{0}”的示例。</translation>
        </message>
        <message>
            <location filename="workbench/core/samples.py" />
            <source>The sample '{0}' needs packages that are not installed.</source>
            <translation>示例“{0}”需要尚未安装的软件包。</translation>
        </message>
        <message>
            <location filename="workbench/core/samples.py" />
            <source>Missing: {0}.</source>
            <translation>缺少：{0}。</translation>
        </message>
        <message>
            <location filename="workbench/core/samples.py" />
            <source>Run: pip install 'inference-workbench[{0}]'</source>
            <translation>请运行：pip install 'inference-workbench[{0}]'</translation>
        </message>
        <message>
            <location filename="workbench/core/scales.py" />
            <source>a range must be finite, not {0}..{1}</source>
            <translation>范围必须是有限的，而不是 {0}..{1}</translation>
        </message>
        <message>
            <location filename="workbench/core/scales.py" />
            <source>the range {0}..{1} ends before it begins</source>
            <translation>范围 {0}..{1} 的终点在起点之前</translation>
        </message>
        <message>
            <location filename="workbench/core/scales.py" />
            <source>the range {0}..{1} is too wide for float32</source>
            <translation>范围 {0}..{1} 对 float32 来说太宽</translation>
        </message>
        <message>
            <location filename="workbench/core/scales.py" />
            <source>the range {0}..{1} cannot be clamped to {2}..{3}</source>
            <translation>范围 {0}..{1} 无法截断到 {2}..{3}</translation>
        </message>
        <message>
            <location filename="workbench/core/significance.py" />
            <source>95 % interval {0} to {1}, {2} process{3} each</source>
            <translation>95 % 区间 {0} 至 {1}，每侧 {2} 个进程</translation>
        </message>
        <message>
            <location filename="workbench/core/significance.py" />
            <source>no difference shown: A takes {0}× as long as B ({1})</source>
            <translation>未显示差异：A 的用时为 B 的 {0}×（{1}）</translation>
        </message>
        <message>
            <location filename="workbench/core/significance.py" />
            <source>{0} is {1}× as fast ({2})</source>
            <translation>{0} 的速度为另一方的 {1}×（{2}）</translation>
        </message>
        <message>
            <location filename="workbench/core/slices.py" />
            <source>output '{0}' is {1} everywhere, where FP32 ranges from {2} to {3}</source>
            <translation>输出“{0}”处处为 {1}，而 FP32 的取值从 {2} 到 {3}</translation>
        </message>
        <message>
            <location filename="workbench/core/slices.py" />
            <source>output '{0}' is the same for every sample, where FP32 is not</source>
            <translation>输出“{0}”对每个样本都相同，而 FP32 并非如此</translation>
        </message>
        <message>
            <location filename="workbench/core/slices.py" />
            <source>output '{0}': {1} along axis {2} {3} constant, where FP32 varies; a scale shared with larger values rounds them away</source>
            <translation>输出“{0}”：沿轴 {2} 的{1}为常数，而 FP32 有变化；与更大的值共用一个比例因子，使其被舍入掉</translation>
        </message>
        <message>
            <location filename="workbench/core/slices.py" />
            <source>output '{0}': {1} along axis {2} {3} mostly rounding noise (worst: slice {4}, cosine {5}, {6} dB, while the whole output has {7} dB); a scale shared with larger values is too coarse for them</source>
            <translation>输出“{0}”：沿轴 {2} 的{1}大部分是舍入噪声（最差：切片 {4}，余弦 {5}，{6} dB，而整个输出为 {7} dB）；与更大的值共用的比例因子对它们太粗</translation>
        </message>
        <message>
            <location filename="workbench/core/slices.py" />
            <location filename="workbench/gui/tensor_preview.py" />
            <source> of {0}</source>
            <translation>/{0}</translation>
        </message>
        <message>
            <location filename="workbench/core/slices.py" />
            <source>slice {0}{1}</source>
            <translation>切片 {0}{1}</translation>
        </message>
        <message>
            <location filename="workbench/core/slices.py" />
            <source>slices {0}–{1}{2}</source>
            <translation>切片 {0}–{1}{2}</translation>
        </message>
        <message>
            <location filename="workbench/core/slices.py" />
            <source>slices {0}</source>
            <translation>切片 {0}</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>a TorchScript archive</source>
            <translation>TorchScript 归档</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>a pickled PyTorch object</source>
            <translation>pickle 序列化的 PyTorch 对象</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>a torch.export archive</source>
            <translation>torch.export 归档</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>a PyTorch state dict (weights without a model)</source>
            <translation>PyTorch 状态字典（只有权重，没有模型）</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>a safetensors file (weights without a model)</source>
            <translation>safetensors 文件（只有权重，没有模型）</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <location filename="workbench/engines/torch_load.py" />
            <source>an ONNX model</source>
            <translation>ONNX 模型</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>Copy or download the file again and compare its size with the original.</source>
            <translation>请重新复制或下载该文件，并与原文件比较大小。</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>Save the model with torch.jit.save, torch.export.save or torch.onnx.export.</source>
            <translation>请用 torch.jit.save、torch.export.save 或 torch.onnx.export 保存模型。</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>an HDF5 file (Keras?)</source>
            <translation>HDF5 文件（Keras？）</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>a TensorFlow Lite model</source>
            <translation>TensorFlow Lite 模型</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>a NumPy array</source>
            <translation>NumPy 数组</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>a GGUF language model</source>
            <translation>GGUF 语言模型</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>a gzip archive</source>
            <translation>gzip 归档</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>a 7-Zip archive</source>
            <translation>7-Zip 归档</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>a Linux program or library</source>
            <translation>Linux 程序或库</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>a Windows program or library</source>
            <translation>Windows 程序或库</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>a tar archive</source>
            <translation>tar 归档</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>{0} is empty.</source>
            <translation>{0} 为空。</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>It holds 0 bytes, so saving or copying it failed.</source>
            <translation>它只有 0 字节，说明保存或复制失败了。</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>Check the file and its permissions.</source>
            <translation>请检查该文件及其权限。</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>a plain Python pickle, not written by torch.save</source>
            <translation>普通的 Python pickle，不是由 torch.save 写的</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>unknown binary data (it begins with {0})</source>
            <translation>未知的二进制数据（开头为 {0}）</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>{0} is no model file.</source>
            <translation>{0} 不是模型文件。</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>Its content is {0}, whatever its name says.</source>
            <translation>无论其名称如何，其内容是{0}。</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>Supported are TorchScript (.pt), torch.export (.pt2), ONNX (.onnx), pickled modules (.pt, with --trust-pickle), and weights together with a model.py:callable.</source>
            <translation>支持 TorchScript（.pt）、torch.export（.pt2）、ONNX（.onnx）、pickle 序列化的模块（.pt，需 --trust-pickle），以及配合 model.py:callable 的权重。</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>{0} is damaged or cut off.</source>
            <translation>{0} 已损坏或不完整。</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>It begins like a ZIP archive (as torch.save writes), but the table at its end is missing.</source>
            <translation>它的开头像 ZIP 归档（torch.save 写的那种），但缺少末尾的目录表。</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>{0} is a compiled AOTInductor package.</source>
            <translation>{0} 是编译好的 AOTInductor 包。</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>It holds machine code in place of a graph; there is nothing to quantize or tune.</source>
            <translation>它装的是机器码而不是计算图；没有可以量化或调优的内容。</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>Save the exported program itself with torch.export.save.</source>
            <translation>请用 torch.export.save 保存导出的程序本身。</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>{0} is a torch.package archive.</source>
            <translation>{0} 是 torch.package 归档。</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>These carry their own Python code.</source>
            <translation>这种归档自带 Python 代码。</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>a ZIP archive holding {0}</source>
            <translation>含有 {0} 的 ZIP 归档</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>It holds the member {0} twice.</source>
            <translation>其中的成员 {0} 出现了两次。</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>Its member {0} cannot be read: {1}.</source>
            <translation>其中的成员 {0} 无法读取：{1}。</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>{0}, which is no file of torch.save</source>
            <translation>{0}，不是 torch.save 的文件</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>The pickle {0} in it cannot be followed: {1}.</source>
            <translation>其中的 pickle {0} 无法解析：{1}。</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>number {0}</source>
            <translation>编号 {0}</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>It is a safetensors file whose header alone should take {0} bytes.</source>
            <translation>它是 safetensors 文件，但仅文件头就应占 {0} 字节。</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>Its safetensors header promises {0} bytes, but there are {1}.</source>
            <translation>其 safetensors 文件头声明有 {0} 字节，但实际有 {1} 字节。</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>a Git LFS pointer (run 'git lfs pull' to fetch the real file)</source>
            <translation>Git LFS 指针（请运行“git lfs pull”取回真正的文件）</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>a web page (the download needed a login or another link)</source>
            <translation>网页（下载时需要登录，或需要另一个链接）</translation>
        </message>
        <message>
            <location filename="workbench/core/sniff.py" />
            <source>It is an ONNX model whose part at byte {0} should end at byte {1}, but there are {2}.</source>
            <translation>它是 ONNX 模型，位于字节 {0} 的部分应在字节 {1} 结束，但文件只有 {2} 字节。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>There is no data at '{0}'.</source>
            <translation>“{0}”处没有数据。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>The folder or file does not exist.</source>
            <translation>文件夹或文件不存在。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>Check the path of --data or --calib.</source>
            <translation>请检查 --data 或 --calib 的路径。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>'{0}' is no data that can be read.</source>
            <translation>“{0}”不是可读取的数据。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>Data is a folder of pictures, an .npy file or an .npz file.</source>
            <translation>数据应为图片文件夹、.npy 文件或 .npz 文件。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>Give the folder that holds the pictures.</source>
            <translation>请给出存放图片的文件夹。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>A folder of pictures cannot feed a model with {0} inputs.</source>
            <translation>图片文件夹无法供有 {0} 个输入的模型使用。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>Its inputs are {0}.</source>
            <translation>其输入为 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>Give an .npz file with one array per input.</source>
            <translation>请给出 .npz 文件，每个输入一个数组。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>{0} '{1}' has {2}×{3} pixels.</source>
            <translation>{0}“{1}”有 {2}×{3} 像素。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>it becomes {0}, the model expects {1}</source>
            <translation>它成为 {0}，而模型要求 {1}</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>This input takes no picture; give an .npy or .npz file.</source>
            <translation>该输入不接收图片；请给出 .npy 或 .npz 文件。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>Set preprocess.layout = '{0}'.</source>
            <translation>请设置 preprocess.layout = '{0}'。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>'rgb' or 'bgr'</source>
            <translation>'rgb' 或 'bgr'</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>preprocess.color = {0}</source>
            <translation>preprocess.color = {0}</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>a model input of 1 or 3 channels</source>
            <translation>通道数为 1 或 3 的模型输入</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>preprocess.{0} = [{1}, {2}]</source>
            <translation>preprocess.{0} = [{1}, {2}]</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>Set {0}.</source>
            <translation>请设置 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source> and </source>
            <translation> 和 </translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>Change [preprocess].</source>
            <translation>请修改 [preprocess]。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>Pictures do not fit the model's input '{0}'.</source>
            <translation>图片与模型的输入“{0}”不符。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>'{0}' becomes {1} ({2}); the model expects {3}.</source>
            <translation>“{0}”成为 {1}（{2}）；而模型要求 {3}。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>All {0} are broken; '{1}': {2}.</source>
            <translation>{0} 个全部损坏；“{1}”：{2}。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>No picture in '{0}' can be used.</source>
            <translation>“{0}”中没有可用的图片。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>Replace or repair the files.</source>
            <translation>请替换或修复这些文件。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>It holds {0} files, none with a picture's extension.</source>
            <translation>其中有 {0} 个文件，但都没有图片扩展名。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>It is empty.</source>
            <translation>它是空的。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>There are no pictures in '{0}'.</source>
            <translation>“{0}”中没有图片。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>Pictures end in {0}.</source>
            <translation>图片的扩展名为 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>'{0}' cannot be read as an array file.</source>
            <translation>“{0}”无法作为数组文件读取。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>{0}. Pickled objects are never loaded.</source>
            <translation>{0}。绝不加载 pickle 对象。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>Save plain numeric arrays with numpy.save or numpy.savez.</source>
            <translation>请用 numpy.save 或 numpy.savez 保存纯数值数组。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>The arrays in '{0}' are not the model's inputs.</source>
            <translation>“{0}”中的数组不是该模型的输入。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>The file has {0}; the model takes {1}.</source>
            <translation>文件中有 {0}；模型需要 {1}。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>one array</source>
            <translation>一个数组</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>Save one array per input under its name in an .npz file (and 'labels', if there are any).</source>
            <translation>请在 .npz 文件中为每个输入保存一个同名数组（若有标签，再加上“labels”）。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>The array '{0}' in '{1}' holds {2}, not numbers.</source>
            <translation>“{1}”中的数组“{0}”存放的是 {2}，不是数值。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>Inputs are real numbers or truth values.</source>
            <translation>输入应为实数或真假值。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>Convert it before saving.</source>
            <translation>请在保存前转换。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>Add a leading axis for the samples (array[None]).</source>
            <translation>请在最前面加一个样本轴（array[None]）。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>The array for input '{0}' in '{1}' does not fit the model.</source>
            <translation>“{1}”中输入“{0}”的数组与模型不符。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>Its shape is {0}; the model expects {1} per row.</source>
            <translation>其形状为 {0}；模型要求每行为 {1}。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>Save arrays of that shape, with the samples along the first axis.</source>
            <translation>请保存该形状的数组，样本沿第一个轴排列。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>The arrays in '{0}' have different numbers of rows.</source>
            <translation>“{0}”中各数组的行数不同。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>Row i of every array must belong to sample i.</source>
            <translation>每个数组的第 i 行都必须属于样本 i。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>'{0}' has no samples.</source>
            <translation>“{0}”没有样本。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>Its arrays have zero rows.</source>
            <translation>其中的数组有零行。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>Save at least one row.</source>
            <translation>请至少保存一行。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>The array 'labels' in '{0}' is not one class per row.</source>
            <translation>“{0}”中的数组“labels”不是每行一个类别。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>It is {0} of shape {1}, for {2} rows.</source>
            <translation>它是 {0}，形状为 {1}，而数据有 {2} 行。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>Save whole numbers from 0 up, one per row.</source>
            <translation>请保存不小于 0 的整数，每行一个。</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>it cannot be read: {0}</source>
            <translation>无法读取：{0}</translation>
        </message>
        <message>
            <location filename="workbench/core/sources.py" />
            <source>it holds no arrays</source>
            <translation>其中没有数组</translation>
        </message>
        <message>
            <location filename="workbench/engines/base.py" />
            <source>Engine '{0}' exports nothing.</source>
            <translation>引擎“{0}”不能导出。</translation>
        </message>
        <message>
            <location filename="workbench/engines/base.py" />
            <location filename="workbench/engines/ipex.py" />
            <source>Use engine=torch.</source>
            <translation>请使用 engine=torch。</translation>
        </message>
        <message>
            <location filename="workbench/engines/base.py" />
            <source>Engine '{0}' saves nothing.</source>
            <translation>引擎“{0}”不能保存模型。</translation>
        </message>
        <message>
            <location filename="workbench/engines/base.py" />
            <source>Use torch, ipex or onnxruntime.</source>
            <translation>请使用 torch、ipex 或 onnxruntime。</translation>
        </message>
        <message>
            <location filename="workbench/engines/ipex.py" />
            <source>{0} cannot be optimized by IPEX.</source>
            <translation>IPEX 无法优化 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/engines/ipex.py" />
            <source>It needs an nn.Module written in Python; TorchScript and exported programs are not.</source>
            <translation>它需要用 Python 编写的 nn.Module；TorchScript 和导出的程序不是。</translation>
        </message>
        <message>
            <location filename="workbench/engines/ipex.py" />
            <source>Use engine=torch, or give the model as FILE.py:callable with --weights.</source>
            <translation>请使用 engine=torch，或以 FILE.py:callable 形式给出模型并加上 --weights。</translation>
        </message>
        <message>
            <location filename="workbench/engines/ipex.py" />
            <source>IPEX cannot prepare this model for INT8.</source>
            <translation>IPEX 无法为 INT8 准备该模型。</translation>
        </message>
        <message>
            <location filename="workbench/engines/ipex.py" />
            <source>Try engine=torch precision=int8.</source>
            <translation>请尝试 engine=torch precision=int8。</translation>
        </message>
        <message>
            <location filename="workbench/engines/ipex.py" />
            <source>IPEX quantizes a tensor at {0} that is not found in the model.</source>
            <translation>IPEX 在 {0} 处量化了一个在模型中找不到的张量。</translation>
        </message>
        <message>
            <location filename="workbench/engines/ipex.py" />
            <source>IPEX would quantize no layer of this model.</source>
            <translation>IPEX 不会量化该模型的任何层。</translation>
        </message>
        <message>
            <location filename="workbench/engines/ipex.py" />
            <source>IPEX cannot optimize this model for {0}.</source>
            <translation>IPEX 无法针对 {0} 优化该模型。</translation>
        </message>
        <message>
            <location filename="workbench/engines/ipex.py" />
            <location filename="workbench/engines/torch.py" />
            <source>The model cannot be traced.</source>
            <translation>无法跟踪该模型。</translation>
        </message>
        <message>
            <location filename="workbench/engines/ipex.py" />
            <source>IPEX has no INT8 LSTM kernel below avx512_vnni; kept in FP32</source>
            <translation>低于 avx512_vnni 时 IPEX 没有 INT8 LSTM 内核；保持 FP32</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnx_export.py" />
            <source>This model cannot be exported to ONNX, which engine=onnxruntime needs.</source>
            <translation>该模型无法导出为 ONNX，而 engine=onnxruntime 需要它。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnx_export.py" />
            <source>Use engine=torch or engine=ipex.</source>
            <translation>请使用 engine=torch 或 engine=ipex。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnx_export.py" />
            <source>The export to ONNX fixed what the model decides on values, at {0}: other inputs may take a branch that is not in it.</source>
            <translation>导出到 ONNX 时，模型在 {0} 处依数值作出的决定被固定了：其他输入可能走的分支不在其中。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnx_fold.py" />
            <source>graph.fold_padding changes {0} by {1} and was refused</source>
            <translation>graph.fold_padding 使 {0} 改变了 {1}，已被拒绝</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnx_graph.py" />
            <source>{0} is too new for this ONNX Runtime.</source>
            <translation>{0} 对此版本的 ONNX Runtime 来说太新。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnx_graph.py" />
            <source>It has IR version {0}, the runtime reads up to {1}.</source>
            <translation>其 IR 版本为 {0}，运行时最高支持 {1}。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnx_graph.py" />
            <source>Install a newer onnxruntime, or export with an older opset.</source>
            <translation>请安装更新的 onnxruntime，或用较旧的 opset 导出。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnx_graph.py" />
            <source>{0} is not a valid ONNX model.</source>
            <translation>{0} 不是有效的 ONNX 模型。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnx_graph.py" />
            <source>Export it again.</source>
            <translation>请重新导出。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnx_graph.py" />
            <source>The model has no input '{0}'.</source>
            <translation>模型没有输入“{0}”。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnx_graph.py" />
            <source>Correct --input.</source>
            <translation>请改正 --input。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnx_graph.py" />
            <source>--input {0} does not fit the model.</source>
            <translation>--input {0} 与模型不符。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnx_graph.py" />
            <source>Its file says {0}.</source>
            <translation>其文件中写的是 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnxruntime.py" />
            <source>{0} is not an ONNX model.</source>
            <translation>{0} 不是 ONNX 模型。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnxruntime.py" />
            <source>Export it to ONNX.</source>
            <translation>请将其导出为 ONNX。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnxruntime.py" />
            <source>{0} has opset {1}, which is too old to quantize well.</source>
            <translation>{0} 的 opset 为 {1}，太旧，无法很好地量化。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnxruntime.py" />
            <source>Per-channel scales and most fusions need opset 13 or newer.</source>
            <translation>逐通道比例因子和大多数融合需要 opset 13 或更新。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnxruntime.py" />
            <source>Export it again with opset 13 or newer.</source>
            <translation>请用 opset 13 或更新版本重新导出。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnxruntime.py" />
            <source>the export to ONNX changed the outputs by {0} of {1}</source>
            <translation>导出到 ONNX 使输出改变了 {0}（量级 {1}）</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnxruntime.py" />
            <source>ONNX Runtime cannot load {0}.</source>
            <translation>ONNX Runtime 无法加载 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnxruntime.py" />
            <source>Check the operators and the opset that it was exported with.</source>
            <translation>请检查导出时的算子和 opset。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnxruntime.py" />
            <location filename="workbench/engines/torch_common.py" />
            <source>There is no layer '{0}' that can be quantized.</source>
            <translation>没有可量化的层“{0}”。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnxruntime.py" />
            <location filename="workbench/engines/torch_common.py" />
            <source>`workbench inspect` lists them.</source>
            <translation>`workbench inspect` 会列出它们。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnxruntime.py" />
            <source>layout.align_channels has no effect on an .onnx file: channels are filled up in the PyTorch model that a file is exported from.</source>
            <translation>layout.align_channels 对 .onnx 文件不起作用：通道是在导出文件的 PyTorch 模型中补足的。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnxruntime.py" />
            <location filename="workbench/engines/torch_common.py" />
            <source>The model refuses the input {0}.</source>
            <translation>模型拒绝输入 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnxruntime.py" />
            <source>Give data or --input that fits the model's inputs.</source>
            <translation>请给出与模型输入相符的数据或 --input。</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnxruntime.py" />
            <location filename="workbench/engines/torch.py" />
            <source>No layer can run in {0}. {1}</source>
            <translation>没有层能以 {0} 运行。{1}</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnxruntime.py" />
            <source>ONNX Runtime has no {0} kernel for {1}</source>
            <translation>ONNX Runtime 没有用于 {1} 的 {0} 内核</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnxruntime.py" />
            <source>a product of two activations; dynamic INT8 is for weights</source>
            <translation>两个激活的乘积；动态 INT8 用于权重</translation>
        </message>
        <message>
            <location filename="workbench/engines/onnxruntime.py" />
            <source>ONNX Runtime has no static INT8 kernel for {0}</source>
            <translation>ONNX Runtime 没有用于 {0} 的静态 INT8 内核</translation>
        </message>
        <message>
            <location filename="workbench/engines/probe.py" />
            <source>a convolution returned {0} instead of {1}</source>
            <translation>卷积返回了 {0} 而不是 {1}</translation>
        </message>
        <message>
            <location filename="workbench/engines/probe.py" />
            <source>kernels for {0}</source>
            <translation>用于 {0} 的内核</translation>
        </message>
        <message>
            <location filename="workbench/engines/probe.py" />
            <source>with torch {0}</source>
            <translation>配合 torch {0}</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch.py" />
            <source>{0} cannot be quantized.</source>
            <translation>{0} 无法量化。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch.py" />
            <source>TorchScript and exported programs have no modules that FX could replace.</source>
            <translation>TorchScript 和导出的程序没有可供 FX 替换的模块。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch.py" />
            <source>Give the model as FILE.py:callable with --weights, or use precision=fp32.</source>
            <translation>请以 FILE.py:callable 形式给出模型并加上 --weights，或使用 precision=fp32。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch.py" />
            <source>A TorchScript model cannot be moved to BF16 here.</source>
            <translation>TorchScript 模型在此无法转为 BF16。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch.py" />
            <source>Use FILE.py:callable.</source>
            <translation>请使用 FILE.py:callable。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch.py" />
            <source>Use graph.mode=eager.</source>
            <translation>请使用 graph.mode=eager。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch.py" />
            <source>dynamic INT8 quantizes Linear, LSTM and GRU modules only</source>
            <translation>动态 INT8 只量化 Linear、LSTM 和 GRU 模块</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_align.py" />
            <source>its channels differ in number</source>
            <translation>其通道数不一致</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_align.py" />
            <source>layout.align_channels={0} filled up channels of {1} layers: {2}.</source>
            <translation>layout.align_channels={0} 补足了 {1} 层的通道：{2}。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_align.py" />
            <source>layout.align_channels={0} changes nothing: no convolution has an odd number of channels.</source>
            <translation>layout.align_channels={0} 不改变任何东西：没有卷积的通道数需要补足。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_align.py" />
            <source>layout.align_channels={0} changes nothing.</source>
            <translation>layout.align_channels={0} 不改变任何东西。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_align.py" />
            <source>Channels that layout.align_channels leaves odd: {0}.</source>
            <translation>layout.align_channels 未补足的通道：{0}。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_align.py" />
            <source>they are the model's output</source>
            <translation>它们是模型的输出</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_align.py" />
            <source>they flow into {0}</source>
            <translation>它们流入 {0}</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_align.py" />
            <source>they come from {0}</source>
            <translation>它们来自 {0}</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_align.py" />
            <source>{0} has groups</source>
            <translation>{0} 有分组</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_common.py" />
            <source>This CPU cannot flush denormals.</source>
            <translation>该 CPU 无法清零非规格化数。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_common.py" />
            <source>Set runtime.flush_denormals=false.</source>
            <translation>请设置 runtime.flush_denormals=false。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_common.py" />
            <source>{0} does not say what it wants to be fed.</source>
            <translation>{0} 没有说明它需要什么输入。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_common.py" />
            <source>A PyTorch model carries no input shapes.</source>
            <translation>PyTorch 模型不带输入形状。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_common.py" />
            <source>Add --input SHAPE, for example --input 1x3x224x224.</source>
            <translation>请加上 --input SHAPE，例如 --input 1x3x224x224。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_common.py" />
            <source>Give the shape that it wants with --input, and preprocessing that makes it.</source>
            <translation>请用 --input 给出它所需的形状，并给出能得到该形状的预处理。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_common.py" />
            <source>{0} cannot rewrite a TorchScript model.</source>
            <translation>{0} 无法改写 TorchScript 模型。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_common.py" />
            <source>It has no Python modules to replace.</source>
            <translation>它没有可替换的 Python 模块。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_common.py" />
            <source>Give the model as FILE.py:callable.</source>
            <translation>请以 FILE.py:callable 形式给出模型。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_common.py" />
            <source>The model cannot be traced, and only traced models run without their source.</source>
            <translation>该模型无法跟踪，而只有跟踪得到的模型才能脱离源码运行。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_common.py" />
            <location filename="workbench/engines/torch_load.py" />
            <source>Use engine=onnxruntime.</source>
            <translation>请使用 engine=onnxruntime。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_common.py" />
            <source>A TorchScript model shows no layers.</source>
            <translation>TorchScript 模型不显示任何层。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_common.py" />
            <source>'{0}' is a later call of one module.</source>
            <translation>“{0}”是同一模块的后续调用。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_common.py" />
            <source>These engines can keep a module in FP32 only in all its calls.</source>
            <translation>这些引擎只能让一个模块在所有调用中都保持 FP32。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_common.py" />
            <source>Use '{0}'.</source>
            <translation>请使用“{0}”。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_common.py" />
            <source>a TorchScript model has no Python graph; give the model as FILE.py:callable</source>
            <translation>TorchScript 模型没有 Python 计算图；请以 FILE.py:callable 形式给出模型</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_common.py" />
            <source>{0} stays in FP32 under static INT8; precision=int8-dynamic quantizes it</source>
            <translation>{0} 在静态 INT8 下保持 FP32；precision=int8-dynamic 会量化它</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_common.py" />
            <source>a product of two activations (or a functional call); kept in FP32</source>
            <translation>两个激活的乘积（或函数式调用）；保持 FP32</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_fold.py" />
            <source>{0} changes the outputs by {1} of {2} and was refused</source>
            <translation>{0} 使输出改变了 {1}（总幅度 {2}），已被拒绝</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>{0} is {1}.</source>
            <translation>{0} 是{1}。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>a {0} file</source>
            <translation>{0} 文件</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>The PyTorch engines run Python modules, TorchScript and exported programs.</source>
            <translation>PyTorch 引擎运行 Python 模块、TorchScript 和导出的程序。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>Give the model's code as FILE.py:callable.</source>
            <translation>请以 FILE.py:callable 形式给出模型的代码。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>Cannot import {0}.</source>
            <translation>无法导入 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>It is not a Python source file.</source>
            <translation>它不是 Python 源文件。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>{0}:{1} raised {2}: {3}</source>
            <translation>{0}:{1} 引发了 {2}：{3}</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>Correct the file; the callable must take no arguments and return an nn.Module.</source>
            <translation>请改正该文件；该可调用对象必须无参数，并返回 nn.Module。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>{0}:{1} returned {2}, not an nn.Module.</source>
            <translation>{0}:{1} 返回了 {2}，而不是 nn.Module。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>Return the network itself.</source>
            <translation>请返回网络本身。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>At line {0} of {1}: {2}</source>
            <translation>位于 {1} 第 {0} 行：{2}</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <location filename="workbench/host/recorded.py" />
            <source>Cannot read {0}.</source>
            <translation>无法读取 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>safetensors is not installed.</source>
            <translation>safetensors 未安装。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>Cannot read the weights in {0}.</source>
            <translation>无法读取 {0} 中的权重。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>It must be a plain state dict.</source>
            <translation>它必须是普通的状态字典。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>{0} of {1} parameters match</source>
            <translation>{1} 个参数中有 {0} 个匹配</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>; missing: {0}{1}</source>
            <translation>；缺少：{0}{1}</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>; unexpected: {0}{1}</source>
            <translation>；多余：{0}{1}</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>{0} does not fit the model.</source>
            <translation>{0} 与模型不符。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>Use the matching file.</source>
            <translation>请使用与之匹配的文件。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>{0} is a TorchScript archive that cannot be loaded.</source>
            <translation>{0} 是无法加载的 TorchScript 归档。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>If it was saved after optimize_for_inference, save the plain traced or scripted model again.</source>
            <translation>如果它是在 optimize_for_inference 之后保存的，请重新保存普通的跟踪或脚本模型。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>{0} is a pickled model, which may run code.</source>
            <translation>{0} 是 pickle 序列化的模型，可能会运行代码。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>Add --trust-pickle if you trust its origin.</source>
            <translation>如果信任其来源，请加上 --trust-pickle。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>{0} cannot be unpickled.</source>
            <translation>{0} 无法反序列化。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>Its classes must be importable here; better: a callable and --weights with a state dict.</source>
            <translation>其中的类必须能在此导入；更好的做法：给出可调用对象，并用 --weights 给出状态字典。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>{0} holds {1}, not a model.</source>
            <translation>{0} 存放的是 {1}，不是模型。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>{0} cannot be loaded as an exported program.</source>
            <translation>{0} 无法作为导出的程序加载。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_load.py" />
            <source>It must come from a torch.export.save that torch {0} can read.</source>
            <translation>它必须出自 torch {0} 能够读取的 torch.export.save。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_quantize.py" />
            <source>FX cannot trace this model, so engine torch cannot quantize it.</source>
            <translation>FX 无法跟踪该模型，因此引擎 torch 无法量化它。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_quantize.py" />
            <source>Remove the branch on tensor values, or try engine=ipex, which traces by running.</source>
            <translation>请去掉依张量取值而定的分支，或尝试 engine=ipex（它通过实际运行来跟踪）。</translation>
        </message>
        <message>
            <location filename="workbench/engines/torch_quantize.py" />
            <source>(at {0}:{1})</source>
            <translation>（位于 {0}:{1}）</translation>
        </message>
        <message>
            <location filename="workbench/errors.py" />
            <source>Did you mean </source>
            <translation>是否想输入 </translation>
        </message>
        <message>
            <location filename="workbench/errors.py" />
            <source>Known: {0}.</source>
            <translation>已知的有：{0}。</translation>
        </message>
        <message>
            <location filename="workbench/export/arrival.py" />
            <location filename="workbench/export/verify.py" />
            <location filename="workbench/onsite/start.py" />
            <source>{0} is no bundle.</source>
            <translation>{0} 不是导出包。</translation>
        </message>
        <message>
            <location filename="workbench/export/arrival.py" />
            <location filename="workbench/export/verify.py" />
            <source>Give the folder or the .zip.</source>
            <translation>请给出文件夹或 .zip。</translation>
        </message>
        <message>
            <location filename="workbench/export/arrival.py" />
            <source>without {0}</source>
            <translation>没有 {0}</translation>
        </message>
        <message>
            <location filename="workbench/export/arrival.py" />
            <source>also {0}</source>
            <translation>另有 {0}</translation>
        </message>
        <message>
            <location filename="workbench/export/arrival.py" />
            <location filename="workbench/export/verify.py" />
            <source>physical cores</source>
            <translation>物理核</translation>
        </message>
        <message>
            <location filename="workbench/export/arrival.py" />
            <location filename="workbench/export/verify.py" />
            <source>usable CPUs</source>
            <translation>可用 CPU</translation>
        </message>
        <message>
            <location filename="workbench/export/arrival.py" />
            <location filename="workbench/host/machine.py" />
            <source>instruction sets</source>
            <translation>指令集</translation>
        </message>
        <message>
            <location filename="workbench/export/arrival.py" />
            <source>INT8 as on</source>
            <translation>INT8 级别</translation>
        </message>
        <message>
            <location filename="workbench/export/arrival.py" />
            <source>memory, MB</source>
            <translation>内存，MB</translation>
        </message>
        <message>
            <location filename="workbench/export/arrival.py" />
            <source>Threads: {0} as exported, more than the CPUs here: tune it here, or give run.py --threads.</source>
            <translation>线程：导出时为 {0} 个，多于这里的 CPU：请在这里重新调优，或给出 run.py --threads。</translation>
        </message>
        <message>
            <location filename="workbench/export/arrival.py" />
            <source>Threads: {0} as exported; {1} would fit here.</source>
            <translation>线程：导出时为 {0} 个；这里可用 {1} 个。</translation>
        </message>
        <message>
            <location filename="workbench/export/arrival.py" />
            <source>Without VNNI sums of 8-bit products overflow: export it anew with target_isa = this CPU's.</source>
            <translation>没有 VNNI 时，8 位乘积之和会溢出：请把 target_isa 设为这个 CPU 的指令集，再重新导出。</translation>
        </message>
        <message>
            <location filename="workbench/export/arrival.py" />
            <source>With VNNI all 8 bits may be used: export it anew with target_isa = host for more accuracy.</source>
            <translation>有 VNNI 时可以使用全部 8 位：把 target_isa 设为 host 再重新导出，准确度更高。</translation>
        </message>
        <message>
            <location filename="workbench/export/arrival.py" />
            <source>range policy</source>
            <translation>范围策略</translation>
        </message>
        <message>
            <location filename="workbench/export/arrival.py" />
            <source>not installed</source>
            <translation>未安装</translation>
        </message>
        <message>
            <location filename="workbench/export/arrival.py" />
            <source>latency p50, ms</source>
            <translation>延迟 p50，毫秒</translation>
        </message>
        <message>
            <location filename="workbench/export/arrival.py" />
            <source>latency p99, ms</source>
            <translation>延迟 p99，毫秒</translation>
        </message>
        <message>
            <location filename="workbench/export/arrival.py" />
            <location filename="workbench/onsite/selftest.py" />
            <source>golden outputs</source>
            <translation>基准输出</translation>
        </message>
        <message>
            <location filename="workbench/export/arrival.py" />
            <source>mean cosine {0} to FP32</source>
            <translation>与 FP32 的平均余弦 {0}</translation>
        </message>
        <message>
            <location filename="workbench/export/arrival.py" />
            <source>{0} times as long as there</source>
            <translation>为原机器的 {0} 倍</translation>
        </message>
        <message>
            <location filename="workbench/export/bundle.py" />
            <source>comparing the bundle with the trial</source>
            <translation>正在将导出包与试验比较</translation>
        </message>
        <message>
            <location filename="workbench/export/bundle.py" />
            <source>The trial could not be repeated for the comparison.</source>
            <translation>无法为比较重复该试验。</translation>
        </message>
        <message>
            <location filename="workbench/export/bundle.py" />
            <source>Try again.</source>
            <translation>请再试一次。</translation>
        </message>
        <message>
            <location filename="workbench/export/bundle.py" />
            <source>inference-workbench {0}</source>
            <translation>inference-workbench {0}</translation>
        </message>
        <message>
            <location filename="workbench/export/bundle.py" />
            <source>Without native BF16 it is emulated, and slow.</source>
            <translation>没有原生 BF16 时只能模拟，速度很慢。</translation>
        </message>
        <message>
            <location filename="workbench/export/bundle.py" />
            <source>Its ranges use all 8 bits; without VNNI pairs of products overflow 16 bits in silence.</source>
            <translation>其范围用满 8 位；没有 VNNI 时成对乘积会悄悄溢出 16 位。</translation>
        </message>
        <message>
            <location filename="workbench/export/bundle.py" />
            <source>INT8 kernels need it.</source>
            <translation>INT8 内核需要它。</translation>
        </message>
        <message>
            <location filename="workbench/export/folder.py" />
            <source>{0} exists already.</source>
            <translation>{0} 已存在。</translation>
        </message>
        <message>
            <location filename="workbench/export/folder.py" />
            <source>Nothing is overwritten.</source>
            <translation>不会覆盖任何内容。</translation>
        </message>
        <message>
            <location filename="workbench/export/folder.py" />
            <source>Choose another place, or remove it.</source>
            <translation>请选择其他位置，或将其删除。</translation>
        </message>
        <message>
            <location filename="workbench/export/folder.py" />
            <source>{0} cannot be written to.</source>
            <translation>无法写入 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/export/folder.py" />
            <location filename="workbench/gui/opening.py" />
            <location filename="workbench/gui/trials_panel.py" />
            <source>Choose another place.</source>
            <translation>请另选位置。</translation>
        </message>
        <message>
            <location filename="workbench/export/folder.py" />
            <source>{0} could not be written to {1}.</source>
            <translation>无法将 {0} 写入 {1}。</translation>
        </message>
        <message>
            <location filename="workbench/export/folder.py" />
            <source>Nothing was left there.</source>
            <translation>没有留下任何内容。</translation>
        </message>
        <message>
            <location filename="workbench/export/report.py" />
            <source>Trial {0} was never timed.</source>
            <translation>试验 {0} 从未计时。</translation>
        </message>
        <message>
            <location filename="workbench/export/report.py" />
            <source>Choose another --trial.</source>
            <translation>请另选 --trial。</translation>
        </message>
        <message>
            <location filename="workbench/export/report.py" />
            <location filename="workbench/gui/compare_words.py" />
            <location filename="workbench/gui/ladder_words.py" />
            <location filename="resources/i18n/also_shown.txt" />
            <source>failed</source>
            <translation>失败</translation>
        </message>
        <message>
            <location filename="workbench/export/report.py" />
            <location filename="workbench/gui/ladder_words.py" />
            <location filename="resources/i18n/also_shown.txt" />
            <source>skipped</source>
            <translation>已跳过</translation>
        </message>
        <message>
            <location filename="workbench/export/report.py" />
            <source>The report could not be written to {0}.</source>
            <translation>报告无法写入 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/export/report.py" />
            <source>Choose another --out.</source>
            <translation>请选择另一个 --out。</translation>
        </message>
        <message>
            <location filename="workbench/export/report.py" />
            <source>latency of a run, ms</source>
            <translation>每次运行的延迟（毫秒）</translation>
        </message>
        <message>
            <location filename="workbench/export/report.py" />
            <source>{0} slower runs lie beyond →</source>
            <translation>另有 {0} 次更慢的运行在右侧之外 →</translation>
        </message>
        <message>
            <location filename="workbench/export/report.py" />
            <source>median latency, ms (logarithmic)</source>
            <translation>延迟中位数（毫秒，对数）</translation>
        </message>
        <message>
            <location filename="workbench/export/report.py" />
            <location filename="resources/report/report.html.jinja" />
            <source>before</source>
            <translation>优化前</translation>
        </message>
        <message>
            <location filename="workbench/export/report.py" />
            <location filename="resources/report/report.html.jinja" />
            <source>now</source>
            <translation>现在</translation>
        </message>
        <message>
            <location filename="workbench/export/report.py" />
            <source>median, ms</source>
            <translation>中位数</translation>
        </message>
        <message>
            <location filename="workbench/export/report.py" />
            <source>speed</source>
            <translation>速度</translation>
        </message>
        <message>
            <location filename="workbench/export/report.py" />
            <location filename="workbench/gui/latency_plots.py" />
            <source>deadline {0} ms</source>
            <translation>时限 {0} ms</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>The study has no trial to report on.</source>
            <translation>研究中没有可以写成报告的试验。</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>None of {0} trials is ok.</source>
            <translation>{0} 次试验中没有一次正常。</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>Nothing was measured yet.</source>
            <translation>还没有测量过。</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>Measure something first: `workbench measure MODEL`.</source>
            <translation>请先测量：`workbench measure MODEL`。</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>{0} cores, {1} logical CPUs</source>
            <translation>{0} 个核，{1} 个逻辑 CPU</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>Processor</source>
            <translation>处理器</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <location filename="workbench/gui/panels.py" />
            <source>Cores</source>
            <translation>核心</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>Instruction sets</source>
            <translation>指令集</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>Virtual machine</source>
            <translation>虚拟机</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>Memory</source>
            <translation>内存</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>System</source>
            <translation>系统</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>Clock governor</source>
            <translation>频率调节</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <location filename="workbench/gui/model_panel.py" />
            <location filename="workbench/gui/panels.py" />
            <location filename="resources/report/report.html.jinja" />
            <source>Model</source>
            <translation>模型</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <location filename="workbench/core/knobs.py" />
            <source>Format</source>
            <translation>格式</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>Inputs</source>
            <translation>输入</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>Parameters</source>
            <translation>参数</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>Work per run</source>
            <translation>每次运行的计算量</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>Calibrated on</source>
            <translation>校准数据</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>Evaluated on</source>
            <translation>评估数据</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>Preparation of pictures</source>
            <translation>图片预处理</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <location filename="workbench/core/knobs.py" />
            <source>Engine</source>
            <translation>引擎</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <location filename="workbench/core/knobs.py" />
            <source>Threads</source>
            <translation>线程</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <location filename="workbench/core/knobs.py" />
            <source>OpenMP</source>
            <translation>OpenMP</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <location filename="workbench/core/knobs.py" />
            <source>Allocator</source>
            <translation>分配器</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>Instruction set used</source>
            <translation>使用的指令集</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>Packages</source>
            <translation>软件包</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>median (p50), ms</source>
            <translation>中位数（p50），毫秒</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>90 % are faster than (p90), ms</source>
            <translation>90% 的运行快于（p90），毫秒</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>99 % are faster than (p99), ms</source>
            <translation>99% 的运行快于（p99），毫秒</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>slowest, ms</source>
            <translation>最慢，毫秒</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>runs per second</source>
            <translation>每秒运行次数</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>memory while running, MB</source>
            <translation>运行时内存，MB</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>model in memory, MB</source>
            <translation>模型占用内存，MB</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>runs that were timed</source>
            <translation>计时的运行次数</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>Samples compared</source>
            <translation>比较的样本数</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>Cosine similarity, mean</source>
            <translation>余弦相似度，平均</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>Cosine similarity, worst sample</source>
            <translation>余弦相似度，最差样本</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>Signal over error</source>
            <translation>信号与误差之比</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>Same class as FP32</source>
            <translation>与 FP32 类别一致</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>Right class</source>
            <translation>类别正确</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <location filename="workbench/gui/layers_model.py" />
            <source>layer</source>
            <translation>层</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>operator</source>
            <translation>算子</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <location filename="workbench/gui/layers_model.py" />
            <source>ran as</source>
            <translation>运行格式</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <location filename="workbench/gui/layers_model.py" />
            <source>kernel</source>
            <translation>内核</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <location filename="workbench/gui/layers_model.py" />
            <source>share</source>
            <translation>占比</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>SQNR, dB</source>
            <translation>SQNR，dB</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <location filename="workbench/gui/layers_model.py" />
            <source>range</source>
            <translation>范围</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>remarks</source>
            <translation>备注</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>range fixed by hand</source>
            <translation>手动固定范围</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <location filename="resources/i18n/also_shown.txt" />
            <source>yes</source>
            <translation>是</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>FP32</source>
            <translation>FP32</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>{0} of {1} planned layers ran in INT8.</source>
            <translation>计划的 {1} 层中有 {0} 层以 INT8 运行。</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>{0} on CPUs {1}</source>
            <translation>{0}，位于 CPU {1}</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>missed the deadline of {0} ms</source>
            <translation>超过 {0} 毫秒时限的次数</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>kept in {0}</source>
            <translation>保持为 {0}</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>, scale {0}, zero point {1}</source>
            <translation>，比例因子 {0}，零点 {1}</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>, acts at {0}</source>
            <translation>，作用于 {0}</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>ran in {0}</source>
            <translation>以 {0} 运行</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>{0} layers ran in BF16, {1} in FP32.</source>
            <translation>{0} 层以 BF16 运行，{1} 层以 FP32 运行。</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>{0} layers ran in FP32.</source>
            <translation>{0} 层以 FP32 运行。</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>{0} of them ran in slow reference code.</source>
            <translation>其中 {0} 层运行的是慢速参考代码。</translation>
        </message>
        <message>
            <location filename="workbench/export/report_facts.py" />
            <source>{0} samples</source>
            <translation>{0} 个样本</translation>
        </message>
        <message>
            <location filename="workbench/export/report_words.py" />
            <source>There is no report in the language '{0}'.</source>
            <translation>没有 '{0}' 语言的报告。</translation>
        </message>
        <message>
            <location filename="workbench/export/report_words.py" />
            <source>Choose one of {0}.</source>
            <translation>请从 {0} 中选择。</translation>
        </message>
        <message>
            <location filename="workbench/export/report_words.py" />
            <source>.</source>
            <comment>full stop</comment>
            <translation>。</translation>
        </message>
        <message>
            <location filename="workbench/export/verify.py" />
            <source>running the bundle's own test</source>
            <translation>正在运行导出包自检</translation>
        </message>
        <message>
            <location filename="workbench/export/verify.py" />
            <source>timing the bundle</source>
            <translation>正在测量导出包的延迟</translation>
        </message>
        <message>
            <location filename="workbench/export/verify.py" />
            <source>the trial, side by side</source>
            <translation>对照测得的试验</translation>
        </message>
        <message>
            <location filename="workbench/export/verify.py" />
            <source>what was measured at the export</source>
            <translation>导出时测得的结果</translation>
        </message>
        <message>
            <location filename="workbench/export/verify.py" />
            <source>the same</source>
            <translation>相同</translation>
        </message>
        <message>
            <location filename="workbench/export/verify.py" />
            <source>{0}: {1} times {2}, 95 % interval {3} to {4}</source>
            <translation>{0}：为{2}的 {1} 倍，95% 区间 {3} 至 {4}</translation>
        </message>
        <message>
            <location filename="workbench/export/verify.py" />
            <source>The bundle could not be run.</source>
            <translation>导出包无法运行。</translation>
        </message>
        <message>
            <location filename="workbench/export/verify.py" />
            <source>The bundle does not run (exit {0}).</source>
            <translation>导出包无法运行（退出码 {0}）。</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <source>Accuracy n/a: this run had no data.</source>
            <translation>准确度不可用：本次运行没有数据。</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <source>Outputs</source>
            <translation>输出</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <source>Worst items</source>
            <translation>最差的项</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <location filename="workbench/gui/compare_tables.py" />
            <location filename="workbench/core/knobs.py" />
            <source>samples</source>
            <translation>样本</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <location filename="workbench/gui/compare_tables.py" />
            <source>cosine, mean</source>
            <translation>余弦，平均</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <location filename="workbench/gui/compare_tables.py" />
            <source>cosine, worst</source>
            <translation>余弦，最差</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <location filename="workbench/gui/compare_tables.py" />
            <source>SQNR dB</source>
            <translation>SQNR dB</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <source>KL, nats</source>
            <translation>KL，nat</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <location filename="workbench/gui/compare_tables.py" />
            <source>same class</source>
            <translation>类别一致率</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <location filename="workbench/gui/compare_tables.py" />
            <source>right</source>
            <translation>正确率</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <source>FP32 right</source>
            <translation>FP32 正确率</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <location filename="workbench/gui/compare_tables.py" />
            <source>Evaluation items that were compared.</source>
            <translation>参与比较的评估项。</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <location filename="workbench/gui/compare_tables.py" />
            <source>1 is the same direction as FP32's outputs; per item the worst output counts.</source>
            <translation>1 表示与 FP32 输出方向相同；每项取最差的输出。</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <location filename="workbench/gui/compare_tables.py" />
            <source>The item that differs most.</source>
            <translation>差异最大的项。</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <location filename="workbench/gui/compare_tables.py" />
            <source>Signal to quantization noise of the worst output: 6 dB more is half the error.</source>
            <translation>最差输出的信号与量化噪声比：每增加 6 dB，误差减半。</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <source>How far class probabilities moved: below 0.05 barely, above 0.15 much.</source>
            <translation>类别概率的变化：低于 0.05 几乎没有，高于 0.15 则很大。</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <location filename="workbench/gui/compare_tables.py" />
            <source>Items for which this config and FP32 say the same class.</source>
            <translation>本配置与 FP32 给出相同类别的项。</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <location filename="workbench/gui/compare_tables.py" />
            <source>Items with a label for which this config says it.</source>
            <translation>有标签且本配置判断正确的项。</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <source>The same for FP32: what could be reached.</source>
            <translation>FP32 的同一指标：所能达到的上限。</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <source>Random input is for speed only. Choose a data folder and run again.</source>
            <translation>随机输入仅用于测速。请选择数据文件夹后重新运行。</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <source>this</source>
            <translation>本次</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <location filename="workbench/gui/latency_panel.py" />
            <location filename="workbench/gui/latency_table.py" />
            <location filename="workbench/gui/sweep_words.py" />
            <source>baseline</source>
            <translation>基线</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <location filename="workbench/gui/ladder_model.py" />
            <location filename="workbench/gui/trials_model.py" />
            <location filename="workbench/gui/worst_items.py" />
            <location filename="resources/report/report.html.jinja" />
            <source>cosine</source>
            <translation>余弦</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <source>SQNR</source>
            <translation>SQNR</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <source>max Δ</source>
            <translation>最大 Δ</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <location filename="workbench/gui/compare_panel.py" />
            <source>Nothing to compare yet.</source>
            <translation>还没有可比较的内容。</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <source>Accuracy comes with the first run that has data.</source>
            <translation>首次使用数据运行后即显示准确度。</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <source>Accuracy n/a: nothing was compared.</source>
            <translation>准确度不可用：没有进行比较。</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <source>The data has no evaluation items.</source>
            <translation>数据中没有评估项。</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <location filename="resources/report/report.html.jinja" />
            <source>output</source>
            <translation>输出</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <source>Worst outputs ({0} more)</source>
            <translation>最差的输出（另有 {0} 个）</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <source>Accuracy n/a: trial {0} did not get that far.</source>
            <translation>准确度不可用：试验 {0} 未进行到这一步。</translation>
        </message>
        <message>
            <location filename="workbench/gui/accuracy_panel.py" />
            <source>Worst items ({0} of {1})</source>
            <translation>最差的项（{1} 中的 {0} 项）</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <location filename="workbench/gui/start_page.py" />
            <source>&amp;Open model …</source>
            <translation>打开模型(&amp;O) …</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <location filename="workbench/gui/start_page.py" />
            <source>Open &amp;callable …</source>
            <translation>打开可调用对象(&amp;C) …</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>A function or class in a Python file that builds the model</source>
            <translation>Python 文件中用来构建模型的函数或类</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>&amp;Data folder …</source>
            <translation>数据文件夹(&amp;D) …</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>Data from &amp;array file …</source>
            <translation>来自数组文件的数据(&amp;A) …</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>Open &amp;study …</source>
            <translation>打开研究(&amp;S) …</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>&amp;Load config …</source>
            <translation>载入配置(&amp;L) …</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>Sa&amp;ve config …</source>
            <translation>保存配置(&amp;V) …</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>The knobs as a TOML file, as `workbench measure --config` takes it</source>
            <translation>把旋钮设置存为 TOML 文件，可供 `workbench measure --config` 使用</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>&amp;Export …</source>
            <translation>导出(&amp;E) …</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>A folder of the selected trial that runs by itself on the target</source>
            <translation>把所选试验导出为可在目标机器上独立运行的文件夹</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>Open &amp;bundle …</source>
            <translation>打开导出包(&amp;B) …</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>Run what was exported on another machine, and see what is otherwise here</source>
            <translation>运行在另一台机器上导出的内容，查看这里有何不同</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>&amp;Undo</source>
            <translation>撤销(&amp;U)</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>&amp;Redo</source>
            <translation>重做(&amp;R)</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <location filename="workbench/gui/menus.py" />
            <source>&amp;Run</source>
            <translation>运行(&amp;R)</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>&amp;Live</source>
            <translation>实时(&amp;L)</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>Measure on; every turn of a knob starts anew</source>
            <translation>持续测量；每次转动旋钮都会重新开始</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>Long enough to see the rare slow runs</source>
            <translation>足够长，能看到罕见的慢速运行</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>&amp;Stop</source>
            <translation>停止(&amp;S)</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <location filename="workbench/gui/ladder_panel.py" />
            <location filename="workbench/gui/sweep_panel.py" />
            <source>What was measured until now is kept</source>
            <translation>到目前为止的测量结果会保留</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>Selected trial as &amp;baseline</source>
            <translation>将所选试验设为基线(&amp;B)</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>Draw it behind what is measured next</source>
            <translation>在之后测量的图形后面显示它</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>No baseline</source>
            <translation>不用基线</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>Compare &amp;knobs with baseline</source>
            <translation>旋钮与基线比较(&amp;K)</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>Pin what the knobs say now as A, and the baseline as B</source>
            <translation>将旋钮当前设置设为 A，基线设为 B</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>&amp;Measure side by side</source>
            <translation>对照测量(&amp;M)</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>Run A and B in several fresh processes each, in turn</source>
            <translation>A 和 B 各在多个新进程中轮流运行</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>Measure against &amp;itself (A/A)</source>
            <translation>与自身对照测量 (A/A)(&amp;I)</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>How much does this machine differ from itself? The selected trial's config, or else the knobs</source>
            <translation>这台机器与自身相差多少？用所选试验的配置，未选时用当前旋钮</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>Climb the l&amp;adder</source>
            <translation>攀登阶梯(&amp;A)</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>From the naive way to INT8, one knob at a time: what each step buys</source>
            <translation>从最朴素的方式到 INT8，每次一个旋钮：每一步带来多少收益</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>S&amp;weep a knob</source>
            <translation>扫描旋钮(&amp;W)</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>The values chosen in the sweep panel, against the knobs as they are</source>
            <translation>以当前旋钮为对照，测量扫描面板中选定的各个取值</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>One page to read and print</source>
            <translation>一页可阅读、可打印的报告</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>Measure once: {runs} runs in a fresh process</source>
            <translation>测量一次：在新进程中运行 {runs} 次</translation>
        </message>
        <message>
            <location filename="workbench/gui/actions.py" />
            <source>{runs:,} runs</source>
            <translation>{runs:,} 次运行</translation>
        </message>
        <message>
            <location filename="workbench/gui/bug_dialog.py" />
            <location filename="workbench/gui/main_window.py" />
            <source>Inference Workbench</source>
            <translation>Inference Workbench</translation>
        </message>
        <message>
            <location filename="workbench/gui/bug_dialog.py" />
            <source>This is a bug of ours, not your fault. What was measured is kept.</source>
            <translation>这是我们的缺陷，不是您的错。已测得的结果都已保留。</translation>
        </message>
        <message>
            <location filename="workbench/gui/bug_dialog.py" />
            <source>Details are in {place}</source>
            <translation>详细信息位于 {place}</translation>
        </message>
        <message>
            <location filename="workbench/gui/callable_dialog.py" />
            <source>Open a model built by Python</source>
            <translation>打开由 Python 构建的模型</translation>
        </message>
        <message>
            <location filename="workbench/gui/callable_dialog.py" />
            <source>model.py</source>
            <translation>model.py</translation>
        </message>
        <message>
            <location filename="workbench/gui/callable_dialog.py" />
            <source>none: the function brings its own</source>
            <translation>无：函数自带权重</translation>
        </message>
        <message>
            <location filename="workbench/gui/callable_dialog.py" />
            <source>[NAME=]SHAPE[:DTYPE], several apart by spaces; ? is a dynamic axis, as in ids=1x?:int64</source>
            <translation>[NAME=]SHAPE[:DTYPE]，多个之间用空格分隔；? 表示动态轴，如 ids=1x?:int64</translation>
        </message>
        <message>
            <location filename="workbench/gui/callable_dialog.py" />
            <source>Python &amp;file</source>
            <translation>Python 文件(&amp;F)</translation>
        </message>
        <message>
            <location filename="workbench/gui/callable_dialog.py" />
            <source>&amp;Callable</source>
            <translation>可调用对象(&amp;C)</translation>
        </message>
        <message>
            <location filename="workbench/gui/callable_dialog.py" />
            <source>&amp;Weights</source>
            <translation>权重(&amp;W)</translation>
        </message>
        <message>
            <location filename="workbench/gui/callable_dialog.py" />
            <source>&amp;Inputs</source>
            <translation>输入(&amp;I)</translation>
        </message>
        <message>
            <location filename="workbench/gui/callable_dialog.py" />
            <source>Python file</source>
            <translation>Python 文件</translation>
        </message>
        <message>
            <location filename="workbench/gui/callable_dialog.py" />
            <source>Python files (*.py)</source>
            <translation>Python 文件 (*.py)</translation>
        </message>
        <message>
            <location filename="workbench/gui/callable_dialog.py" />
            <source>Weights</source>
            <translation>权重</translation>
        </message>
        <message>
            <location filename="workbench/gui/callable_dialog.py" />
            <source>Weights (*.pt *.pth *.bin *.ckpt *.safetensors);;All files (*)</source>
            <translation>权重 (*.pt *.pth *.bin *.ckpt *.safetensors);;所有文件 (*)</translation>
        </message>
        <message>
            <location filename="workbench/gui/callable_dialog.py" />
            <source>There is no such Python file.</source>
            <translation>没有这个 Python 文件。</translation>
        </message>
        <message>
            <location filename="workbench/gui/callable_dialog.py" />
            <source>Choose a file</source>
            <translation>选择文件</translation>
        </message>
        <message>
            <location filename="workbench/gui/callable_dialog.py" />
            <source>Choose weights</source>
            <translation>选择权重</translation>
        </message>
        <message>
            <location filename="workbench/gui/callable_dialog.py" />
            <source>A class or function without required arguments that returns the model. The file runs in the measuring process only.</source>
            <translation>返回模型、且没有必需参数的类或函数。该文件只在测量进程中运行。</translation>
        </message>
        <message>
            <location filename="workbench/gui/callable_dialog.py" />
            <source>A Python file ends in .py.</source>
            <translation>Python 文件的扩展名为 .py。</translation>
        </message>
        <message>
            <location filename="workbench/gui/callable_dialog.py" />
            <source>There is no such weights file.</source>
            <translation>没有这个权重文件。</translation>
        </message>
        <message>
            <location filename="workbench/gui/check_list.py" />
            <location filename="workbench/gui/environment_page.py" />
            <source>Files</source>
            <translation>文件</translation>
        </message>
        <message>
            <location filename="workbench/gui/check_list.py" />
            <source>Versions</source>
            <translation>版本</translation>
        </message>
        <message>
            <location filename="workbench/gui/check_list.py" />
            <source>CPU</source>
            <translation>CPU</translation>
        </message>
        <message>
            <location filename="workbench/gui/check_list.py" />
            <location filename="workbench/gui/model_panel.py" />
            <source>Preprocessing</source>
            <translation>预处理</translation>
        </message>
        <message>
            <location filename="workbench/gui/check_list.py" />
            <source>Golden outputs</source>
            <translation>基准输出</translation>
        </message>
        <message>
            <location filename="workbench/gui/check_list.py" />
            <location filename="workbench/onsite/selftest.py" />
            <source>INT8 kernels</source>
            <translation>INT8 内核</translation>
        </message>
        <message>
            <location filename="workbench/gui/check_list.py" />
            <location filename="workbench/gui/panels.py" />
            <location filename="resources/report/report.html.jinja" />
            <source>Latency</source>
            <translation>延迟</translation>
        </message>
        <message>
            <location filename="workbench/gui/column_table.py" />
            <source>Click to sort; right-click to choose columns</source>
            <translation>单击排序；右键选择列</translation>
        </message>
        <message>
            <location filename="workbench/gui/column_table.py" />
            <source>As many as fit</source>
            <translation>尽可能多地显示</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>Accuracy n/a: neither side was run on data.</source>
            <translation>准确度：无，两侧都未在数据上运行。</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>Both sides have the same config.</source>
            <translation>两侧配置相同。</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>Make A of B and B of A</source>
            <translation>将 A 与 B 互换</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>Swap A and B</source>
            <translation>互换 A 和 B</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>Two fresh processes per side: shows differences from about 16 % up, in less than half the time</source>
            <translation>每侧两个新进程：可显示约 16 % 以上的差异，用时不到一半</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>Five fresh processes per side</source>
            <translation>每侧五个新进程</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>A/A</source>
            <translation>A/A</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>How much does this machine differ from itself? Runs one config on both sides (Ctrl+F7)</source>
            <translation>这台机器与自身相差多少？两侧运行同一配置（Ctrl+F7）</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>Measure against itself (A/A)</source>
            <translation>与自身对照测量（A/A）</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>Selected trial: {0}</source>
            <translation>所选试验：{0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <location filename="workbench/gui/panels.py" />
            <location filename="resources/report/report.html.jinja" />
            <source>Accuracy</source>
            <translation>准确度</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>What differs</source>
            <translation>不同之处</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>Layers that differ</source>
            <translation>不同的层</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>times of one logged run</source>
            <translation>单次记录运行的时间</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>From the pass that proves which kernels ran: good for shares of the time, not for latencies.</source>
            <translation>来自核实所运行内核的那一遍：适合看时间占比，不适合看延迟。</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>Open the model first: stored trials carry no model to run.</source>
            <translation>请先打开模型：已存储的试验不含可运行的模型。</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>Choose what to compare: A and B.</source>
            <translation>请选择要比较的 A 和 B。</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>Choose above, or right-click a trial in the table and pin it. Trials come with each run.</source>
            <translation>在上方选择，或右键单击表中的试验并设为一侧。每次运行都会产生试验。</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>“Measure side by side” runs both.</source>
            <translation>“对照测量”会运行两侧。</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>Side A</source>
            <translation>A 侧</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>Side B</source>
            <translation>B 侧</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <location filename="workbench/gui/ladder_panel.py" />
            <location filename="workbench/gui/sweep_panel.py" />
            <source>Stop</source>
            <translation>停止</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>Measure side by side</source>
            <translation>对照测量</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>Starting the first process.</source>
            <translation>正在启动第一个进程。</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>Choose A and B first.</source>
            <translation>请先选择 A 和 B。</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>Run both in several fresh processes each, in turn, so that neither is favoured</source>
            <translation>两侧各在多个新进程中轮流运行，不偏向任何一侧</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>Neither side has been measured yet</source>
            <translation>两侧都尚未测量</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <location filename="workbench/gui/sweep_panel.py" />
            <source>quick</source>
            <translation>快速</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <location filename="workbench/gui/sweep_panel.py" />
            <source>thorough</source>
            <translation>彻底</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>No trial is selected</source>
            <translation>未选择试验</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>Measuring {0}. The figures grow with each process.</source>
            <translation>正在测量{0}。数字随每个进程更新。</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>Choose a trial</source>
            <translation>选择试验</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>{0} more, which change the time less.</source>
            <translation>另有 {0} 个，对时间影响更小。</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>The kernels of a side are not known.</source>
            <translation>其中一侧的内核未知。</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>The same kernels ran on both sides, in about the same time.</source>
            <translation>两侧运行了相同的内核，时间大致相同。</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <location filename="workbench/gui/pin_choices.py" />
            <source>Current knobs: {0}</source>
            <translation>当前旋钮：{0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_panel.py" />
            <source>{0} has not been measured yet</source>
            <translation>{0} 尚未测量</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_plots.py" />
            <source>% of runs</source>
            <translation>运行占比 %</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_plots.py" />
            <source>How many of its runs took how long, on either side</source>
            <translation>两侧各有多少次运行用了多长时间</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_plots.py" />
            <source>% below</source>
            <translation>低于的占比 %</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_plots.py" />
            <source>Which share of the runs took at most so long: the curve further left is faster</source>
            <translation>用时不超过某值的运行占比：曲线越靠左越快</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_plots.py" />
            <location filename="workbench/gui/latency_plots.py" />
            <location filename="workbench/gui/layers_model.py" />
            <source>ms</source>
            <translation>ms</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_plots.py" />
            <source>The median of each process: where memory lands makes processes of one config differ by 10–30 %</source>
            <translation>每个进程的中位数：内存落点使同一配置的进程相差 10–30 %</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <source>B divided by A; of runs per second the other way round. Above 1 A is better.</source>
            <translation>B 除以 A；每秒运行次数则相反。大于 1 表示 A 更好。</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <source>not there</source>
            <translation>没有</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <location filename="workbench/gui/latency_table.py" />
            <source>Runs that took longer than the deadline.</source>
            <translation>用时超过时限的运行。</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <location filename="workbench/gui/sweep_model.py" />
            <source>The most memory that was held while only running.</source>
            <translation>仅运行时占用的最大内存。</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <source>Layers that ran in INT8, of those that were planned to.</source>
            <translation>以 INT8 运行的层 / 计划的层。</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <location filename="workbench/gui/latency_table.py" />
            <source>n &lt; 100</source>
            <translation>n &lt; 100</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <source>A better by</source>
            <translation>A 更好的倍数</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <source>processes</source>
            <translation>进程数</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <location filename="workbench/gui/latency_plots.py" />
            <location filename="workbench/gui/latency_table.py" />
            <source>runs</source>
            <translation>运行次数</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <location filename="workbench/gui/latency_table.py" />
            <source>mean ms</source>
            <translation>平均 ms</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <location filename="workbench/gui/ladder_model.py" />
            <location filename="workbench/gui/latency_table.py" />
            <location filename="workbench/gui/sweep_model.py" />
            <location filename="workbench/gui/trials_model.py" />
            <source>p50 ms</source>
            <translation>p50 ms</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <location filename="workbench/gui/latency_table.py" />
            <source>p90 ms</source>
            <translation>p90 ms</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <location filename="workbench/gui/latency_table.py" />
            <location filename="workbench/gui/sweep_model.py" />
            <location filename="workbench/gui/trials_model.py" />
            <source>p99 ms</source>
            <translation>p99 ms</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <location filename="workbench/gui/latency_table.py" />
            <location filename="workbench/gui/sweep_model.py" />
            <location filename="workbench/gui/trials_model.py" />
            <source>max ms</source>
            <translation>最大 ms</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <location filename="workbench/gui/latency_table.py" />
            <source>missed</source>
            <translation>超时</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <location filename="workbench/gui/latency_table.py" />
            <source>runs/s</source>
            <translation>次/秒</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <location filename="workbench/gui/sweep_model.py" />
            <location filename="workbench/gui/sweep_plots.py" />
            <source>peak MB</source>
            <translation>峰值 MB</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <source>INT8 layers</source>
            <translation>INT8 层</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <source>A ran as</source>
            <translation>A 运行格式</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <source>B ran as</source>
            <translation>B 运行格式</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <source>A ms</source>
            <translation>A ms</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <source>B ms</source>
            <translation>B ms</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <source>A − B</source>
            <translation>A − B</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_tables.py" />
            <source>in {0}</source>
            <translation>在 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_words.py" />
            <location filename="resources/i18n/also_shown.txt" />
            <source>invalid</source>
            <translation>无效</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_words.py" />
            <location filename="resources/i18n/also_shown.txt" />
            <source>ok</source>
            <translation>正常</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_words.py" />
            <source>No difference shown</source>
            <translation>未显示出差异</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_words.py" />
            <source>A takes {0} as long as B; 95 % interval {1} to {2}</source>
            <translation>A 用时为 B 的 {0}；95 % 区间 {1} 到 {2}</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_words.py" />
            <source>A is {0} as fast as B</source>
            <translation>A 的速度是 B 的 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_words.py" />
            <source>B is {0} as fast as A</source>
            <translation>B 的速度是 A 的 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_words.py" />
            <source>{0}; {1} processes each</source>
            <translation>{0}；各 {1} 个进程</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_words.py" />
            <source>One process each says little: processes of one config differ by 10–30 %. Measure side by side to find out.</source>
            <translation>各一个进程说明不了什么：同一配置的进程相差 10–30 %。请对照测量以查明。</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_words.py" />
            <source>{0} is {1}: {2}</source>
            <translation>{0}为{1}：{2}</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_words.py" />
            <source>The model has changed between A and B.</source>
            <translation>A 和 B 之间模型已改变。</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_words.py" />
            <source>A and B were measured on different machines.</source>
            <translation>A 和 B 在不同机器上测得。</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_words.py" />
            <source>not measured yet: {0}</source>
            <translation>尚未测量：{0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_words.py" />
            <source>95 % interval {0} to {1}</source>
            <translation>95 % 区间 {0} 到 {1}</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_words.py" />
            <source>Two processes each show differences from about 16 % up.</source>
            <translation>各两个进程可显示约 16 % 以上的差异。</translation>
        </message>
        <message>
            <location filename="workbench/gui/compare_words.py" />
            <source>{0}; 1 process each</source>
            <translation>{0}；各 1 个进程</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_canvas.py" />
            <source>Core map</source>
            <translation>核心分布图</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_canvas.py" />
            <source>Package {0}</source>
            <translation>插槽 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_canvas.py" />
            <source>NUMA node {0}</source>
            <translation>NUMA 节点 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_canvas.py" />
            <location filename="workbench/gui/status_bar.py" />
            <source>{0} cores</source>
            <translation>{0} 核</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>Pinned to {0}  ·  {1} of {2} CPUs</source>
            <translation>已绑定到 {0}  ·  {2} 个 CPU 中的 {1} 个</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>Unpin</source>
            <translation>取消绑定</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>Let the worker run on all CPUs that may be used (Delete)</source>
            <translation>让工作进程在所有可用的 CPU 上运行（Delete）</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>P cores</source>
            <translation>P 核</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>P cores, one thread</source>
            <translation>P 核，各一个线程</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>One per core</source>
            <translation>每核一个</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>All</source>
            <translation>全部</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>P and E cores together: the slowest decides when a layer is done.</source>
            <translation>P 核与 E 核混用：每一层何时完成由最慢的核决定。</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>The CPUs lie on several NUMA nodes: memory of another node is slower.</source>
            <translation>这些 CPU 分布在多个 NUMA 节点上：访问其他节点的内存较慢。</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>Click, drag, or arrows and Space; a title takes its group. The orange bar is the load.</source>
            <translation>单击、拖动，或用方向键和空格；点标题选中整组。橙色条表示负载。</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>may not be used by this process</source>
            <translation>本进程不可使用</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>Node {0}, one per core</source>
            <translation>节点 {0}，每核一个</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>Looking at the machine …</source>
            <translation>正在查看本机 …</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>CPU {0} may not be used.</source>
            <translation>CPU {0} 不可使用。</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>Not pinned  ·  {0} CPUs may be used</source>
            <translation>未绑定  ·  可使用 {0} 个 CPU</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>More threads ({0}) than CPUs ({1}).</source>
            <translation>线程数（{0}）多于 CPU 数（{1}）。</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>CPUs: {0}</source>
            <translation>CPU：{0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <location filename="workbench/gui/knob_words.py" />
            <source>all</source>
            <translation>全部</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>CPU {0}</source>
            <translation>CPU {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>core {0}</source>
            <translation>核 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>package {0}</source>
            <translation>插槽 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>node {0}</source>
            <translation>节点 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <location filename="workbench/gui/environment_page.py" />
            <source>CPUs {0}</source>
            <translation>CPU {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>{0} core</source>
            <translation>{0} 核</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>{0} MHz</source>
            <translation>{0} MHz</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>{0} % busy</source>
            <translation>负载 {0} %</translation>
        </message>
        <message>
            <location filename="workbench/gui/core_map.py" />
            <source>NUMA node {0} has no CPU that may be used.</source>
            <translation>NUMA 节点 {0} 没有可用的 CPU。</translation>
        </message>
        <message>
            <location filename="workbench/gui/data_words.py" />
            <location filename="workbench/gui/model_panel.py" />
            <source>No data: random numbers</source>
            <translation>无数据：随机数</translation>
        </message>
        <message>
            <location filename="workbench/gui/data_words.py" />
            <source>{0} usable</source>
            <translation>{0} 个可用</translation>
        </message>
        <message>
            <location filename="workbench/gui/data_words.py" />
            <source>{0} other files</source>
            <translation>{0} 个其他文件</translation>
        </message>
        <message>
            <location filename="workbench/gui/delivery.py" />
            <source>Exit code {0}.</source>
            <translation>退出码 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/gui/delivery.py" />
            <source>Open a bundle</source>
            <translation>打开导出包</translation>
        </message>
        <message>
            <location filename="workbench/gui/delivery.py" />
            <source>Bundles (manifest.json *.zip)</source>
            <translation>导出包 (manifest.json *.zip)</translation>
        </message>
        <message>
            <location filename="workbench/gui/delivery.py" />
            <source>Write a report</source>
            <translation>写报告</translation>
        </message>
        <message>
            <location filename="workbench/gui/delivery.py" />
            <source>Web pages (*.html)</source>
            <translation>网页 (*.html)</translation>
        </message>
        <message>
            <location filename="workbench/gui/delivery.py" />
            <source>Report</source>
            <translation>报告</translation>
        </message>
        <message>
            <location filename="workbench/gui/delivery.py" />
            <source>The report is written.</source>
            <translation>报告已写好。</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>works</source>
            <translation>可用</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>Environment</source>
            <translation>运行环境</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>&amp;Try the engines again</source>
            <translation>重新尝试引擎(&amp;T)</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>&amp;Copy as text</source>
            <translation>复制为文本(&amp;C)</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>Recorded &amp;machine</source>
            <translation>记录的机器(&amp;M)</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>Record this machine in a file…</source>
            <translation>将本机记录到文件…</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>Look at a recorded machine…</source>
            <translation>查看记录的机器…</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>Back to this machine</source>
            <translation>返回本机</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <location filename="workbench/gui/export_dialog.py" />
            <location filename="workbench/gui/import_dialog.py" />
            <source>Close</source>
            <translation>关闭</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>trying the engines, this takes some seconds …</source>
            <translation>正在尝试引擎，需要几秒钟 …</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>Record this machine</source>
            <translation>记录本机</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>recorded</source>
            <translation>已记录</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>Look at a recorded machine</source>
            <translation>查看记录的机器</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>Recorded machine</source>
            <translation>记录的机器</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <location filename="resources/report/report.html.jinja" />
            <source>Machine</source>
            <translation>机器</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>, P and E cores</source>
            <translation>，含 P 核与 E 核</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>, virtual machine</source>
            <translation>，虚拟机</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>topology</source>
            <translation>拓扑</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>instructions</source>
            <translation>指令集</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <location filename="workbench/gui/trial_marks.py" />
            <location filename="workbench/gui/trials_model.py" />
            <source>note</source>
            <translation>备注</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>may use</source>
            <translation>可使用</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>default threads</source>
            <translation>默认线程数</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>caches</source>
            <translation>缓存</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>memory</source>
            <translation>内存</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>may lock</source>
            <translation>可锁定</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>governor</source>
            <translation>调频策略</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>clock</source>
            <translation>时钟</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>slowed down</source>
            <translation>降速</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <location filename="resources/i18n/also_shown.txt" />
            <source>system</source>
            <translation>系统</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>not readable</source>
            <translation>无法读取</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>memory without limit</source>
            <translation>不限量的内存</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>turbo on</source>
            <translation>睿频开启</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>turbo off</source>
            <translation>睿频关闭</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <location filename="workbench/gui/status_bar.py" />
            <source>reading the machine …</source>
            <translation>正在读取本机信息 …</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>The engines are being tried …</source>
            <translation>正在尝试引擎 …</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>studies</source>
            <translation>研究</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>caches, logs</source>
            <translation>缓存、日志</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>{0} cores, {1} threads</source>
            <translation>{0} 核，{1} 线程</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>, quota {0} CPUs</source>
            <translation>，配额 {0} 个 CPU</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>, limit {0} MB</source>
            <translation>，上限 {0} MB</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>not visible here</source>
            <translation>此处不可见</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>not available: {0}</source>
            <translation>不可用：{0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>unknown</source>
            <translation>未知</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>Reading the machine …</source>
            <translation>正在读取本机信息 …</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>Worth knowing</source>
            <translation>值得注意</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>For steadier numbers, as administrator</source>
            <translation>让数值更稳定（需管理员权限）</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>Engines</source>
            <translation>引擎</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>, {0} NUMA nodes</source>
            <translation>，{0} 个 NUMA 节点</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>, in a container ({0})</source>
            <translation>，在容器（{0}）中</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>{0} (INT8 as on {1})</source>
            <translation>{0}（INT8 相当于 {1}）</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>{0} of memory</source>
            <translation>{0} 内存</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>{0} times by heat since boot</source>
            <translation>自启动以来因过热 {0} 次</translation>
        </message>
        <message>
            <location filename="workbench/gui/environment_page.py" />
            <source>{0} times by the CPU quota</source>
            <translation>因 CPU 配额 {0} 次</translation>
        </message>
        <message>
            <location filename="workbench/gui/error_bar.py" />
            <source>Close (Esc)</source>
            <translation>关闭（Esc）</translation>
        </message>
        <message>
            <location filename="workbench/gui/error_bar.py" />
            <source>Close the message</source>
            <translation>关闭消息</translation>
        </message>
        <message>
            <location filename="workbench/gui/error_plot.py" />
            <source>Signal over error of this tensor: higher is better. Dashed: clipping alone; dotted: rounding alone. Click a mark to take its range.</source>
            <translation>该张量的信噪比：越高越好。虚线：仅截断；点线：仅舍入。单击标记即采用其范围。</translation>
        </message>
        <message>
            <location filename="workbench/gui/error_plot.py" />
            <source>SQNR in dB over the width of the range</source>
            <translation>随范围宽度变化的 SQNR（dB）</translation>
        </message>
        <message>
            <location filename="workbench/gui/error_plot.py" />
            <source>As it is now</source>
            <translation>当前</translation>
        </message>
        <message>
            <location filename="workbench/gui/error_plot.py" />
            <source>As calibrated</source>
            <translation>校准所得</translation>
        </message>
        <message>
            <location filename="workbench/gui/error_plot.py" />
            <source>Least squared error</source>
            <translation>平方误差最小</translation>
        </message>
        <message>
            <location filename="workbench/gui/error_plot.py" />
            <source>99.9 % of the values</source>
            <translation>99.9 % 的值</translation>
        </message>
        <message>
            <location filename="workbench/gui/error_plot.py" />
            <source>Most information kept (KL)</source>
            <translation>信息保留最多（KL）</translation>
        </message>
        <message>
            <location filename="workbench/gui/error_scatter.py" />
            <source>Time and error of each layer</source>
            <translation>各层的时间与误差</translation>
        </message>
        <message>
            <location filename="workbench/gui/error_scatter.py" />
            <source>↙ little time, large error: leave in FP32 first</source>
            <translation>↙ 时间少、误差大：优先保持 FP32</translation>
        </message>
        <message>
            <location filename="workbench/gui/error_scatter.py" />
            <source>Signal over error with only this layer in INT8 (SQNR), over its time in one run. Lower is worse.</source>
            <translation>仅该层为 INT8 时的信噪比（SQNR）与单次运行时间的关系。越低越差。</translation>
        </message>
        <message>
            <location filename="workbench/gui/error_scatter.py" />
            <source>ms, dB at the outputs</source>
            <translation>毫秒，输出处 dB</translation>
        </message>
        <message>
            <location filename="workbench/gui/error_scatter.py" />
            <source>ms, dB at its output</source>
            <translation>毫秒，自身输出处 dB</translation>
        </message>
        <message>
            <location filename="workbench/gui/error_scatter.py" />
            <source>{0}
{1} ms, {2} dB</source>
            <translation>{0}
{1} ms，{2} dB</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>Export a bundle</source>
            <translation>导出导出包</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>Place</source>
            <translation>位置</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>Choose where to put it</source>
            <translation>选择存放位置</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>&amp;Open the folder</source>
            <translation>打开文件夹(&amp;O)</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>&amp;Export</source>
            <translation>导出(&amp;E)</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <location filename="workbench/gui/import_dialog.py" />
            <location filename="workbench/gui/status_bar.py" />
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>Trial</source>
            <translation>试验</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>As</source>
            <translation>形式</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>&amp;To</source>
            <translation>位置(&amp;T)</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>all settings, and what was measured with them</source>
            <translation>全部设置，以及用它们测得的结果</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>golden samples with the outputs that belong to them, and how pictures are prepared</source>
            <translation>基准样本及其对应的输出，以及图片如何预处理</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>run.py: a self-test, and a loop that answers all day and watches for drift</source>
            <translation>run.py：自检，以及全天应答并监视漂移的循环</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>requirements.txt with exact versions, a Dockerfile, a systemd unit, start.bat for Windows</source>
            <translation>锁定版本的 requirements.txt、Dockerfile、systemd 单元、Windows 用的 start.bat</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>a README in English and Chinese, and the hash of every file</source>
            <translation>中英文 README，以及每个文件的哈希值</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>Where to put the bundle</source>
            <translation>导出包的存放位置</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>Bundles (*)</source>
            <translation>导出包 (*)</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>Give the whole path.</source>
            <translation>请给出完整路径。</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>Starting the worker</source>
            <translation>正在启动工作进程</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>Verifying</source>
            <translation>正在验证</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>Nothing was exported: the trial is {0} this time: {1}</source>
            <translation>未导出：这一次试验{0}：{1}</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>Nothing was exported: a bug of ours.</source>
            <translation>未导出：这是我们的错误。</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>Cancelling …</source>
            <translation>正在取消 …</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>What will be in it</source>
            <translation>其中包含</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>The trial is measured once more, and what was measured is saved. The bundle gets its name only after fresh processes have run it from its own files. That takes a minute or two.</source>
            <translation>试验会再测一次，保存的正是这次测量的内容。只有在全新的进程用其自身文件运行过之后，导出包才会得到名称。这需要一两分钟。</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>Cancelled; nothing was exported.</source>
            <translation>已取消，未导出任何内容。</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>&amp;Export again</source>
            <translation>再次导出(&amp;E)</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>Folder</source>
            <translation>文件夹</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>Zip file</source>
            <translation>Zip 文件</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>the model as {0} runs it, and its FP32 original</source>
            <translation>{0} 所运行的模型，及其 FP32 原型</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>Trial {0} is not ok: {1}</source>
            <translation>试验 {0} 不正常：{1}</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>Nothing was exported: a check failed. Measure the trial again and export that.</source>
            <translation>未导出：有一项检查未通过。请重新测量试验，再导出新的试验。</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <location filename="workbench/gui/finding_words.py" />
            <source>cosine {0}</source>
            <translation>余弦相似度 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>{0} exists already, and nothing is overwritten: choose another name.</source>
            <translation>{0} 已存在，不会覆盖任何内容：请另选名称。</translation>
        </message>
        <message>
            <location filename="workbench/gui/export_dialog.py" />
            <source>Export OK: {0}</source>
            <translation>导出成功：{0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/finding_card.py" />
            <source>Undo</source>
            <translation>撤销</translation>
        </message>
        <message>
            <location filename="workbench/gui/finding_card.py" />
            <source>Take the repair back and show the trial before it</source>
            <translation>撤回该修复并显示之前的试验</translation>
        </message>
        <message>
            <location filename="workbench/gui/finding_card.py" />
            <source>One process each: a difference of some per cent in time may be chance. Compare to be sure.</source>
            <translation>各一个进程：时间上几个百分点的差异可能是偶然。请比较以确认。</translation>
        </message>
        <message>
            <location filename="workbench/gui/finding_words.py" />
            <source>Whole model</source>
            <translation>整个模型</translation>
        </message>
        <message>
            <location filename="workbench/gui/finding_words.py" />
            <source>Clamp this one</source>
            <translation>截断此处</translation>
        </message>
        <message>
            <location filename="workbench/gui/finding_words.py" />
            <source>Take suggestion</source>
            <translation>采用建议</translation>
        </message>
        <message>
            <location filename="workbench/gui/finding_words.py" />
            <location filename="workbench/gui/layers_table.py" />
            <source>Keep in FP32</source>
            <translation>保持 FP32</translation>
        </message>
        <message>
            <location filename="workbench/gui/finding_words.py" />
            <source>Clamp</source>
            <translation>截断</translation>
        </message>
        <message>
            <location filename="workbench/gui/finding_words.py" />
            <source>Recalibrate</source>
            <translation>重新校准</translation>
        </message>
        <message>
            <location filename="workbench/gui/finding_words.py" />
            <source>Take 7 bits</source>
            <translation>取 7 位</translation>
        </message>
        <message>
            <location filename="workbench/gui/finding_words.py" />
            <source>Take fix back</source>
            <translation>撤销固定的范围</translation>
        </message>
        <message>
            <location filename="workbench/gui/finding_words.py" />
            <source>It is measured at once and can be undone.</source>
            <translation>会立即测量，并且可以撤销。</translation>
        </message>
        <message>
            <location filename="workbench/gui/finding_words.py" />
            <location filename="workbench/gui/layers_panel.py" />
            <source>Measuring …</source>
            <translation>正在测量…</translation>
        </message>
        <message>
            <location filename="workbench/gui/finding_words.py" />
            <source>Undone</source>
            <translation>已撤销</translation>
        </message>
        <message>
            <location filename="workbench/gui/finding_words.py" />
            <source>Not measured; run to see what it does</source>
            <translation>未测量；运行后可见效果</translation>
        </message>
        <message>
            <location filename="workbench/gui/finding_words.py" />
            <source>Better</source>
            <translation>更好</translation>
        </message>
        <message>
            <location filename="workbench/gui/finding_words.py" />
            <source>Worse</source>
            <translation>更差</translation>
        </message>
        <message>
            <location filename="workbench/gui/finding_words.py" />
            <source>No difference in accuracy</source>
            <translation>准确度无差异</translation>
        </message>
        <message>
            <location filename="workbench/gui/finding_words.py" />
            <source>No data to compare outputs on</source>
            <translation>没有可比较输出的数据</translation>
        </message>
        <message>
            <location filename="workbench/gui/finding_words.py" />
            <source>no output is broken any more</source>
            <translation>不再有损坏的输出</translation>
        </message>
        <message>
            <location filename="workbench/gui/finding_words.py" />
            <location filename="workbench/gui/log.py" />
            <source>p50 {0} ms</source>
            <translation>p50 {0} ms</translation>
        </message>
        <message>
            <location filename="workbench/gui/finding_words.py" />
            <source>same class {0}</source>
            <translation>类别相同 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/findings_panel.py" />
            <location filename="workbench/gui/layers_panel.py" />
            <location filename="workbench/gui/network_panel.py" />
            <source>Look inside</source>
            <translation>查看内部</translation>
        </message>
        <message>
            <location filename="workbench/gui/findings_panel.py" />
            <location filename="workbench/gui/layers_panel.py" />
            <source>Measure once, and find what INT8 costs each layer in accuracy</source>
            <translation>测量一次，并求 INT8 使每层损失多少准确度</translation>
        </message>
        <message>
            <location filename="workbench/gui/findings_panel.py" />
            <source>no longer found</source>
            <translation>不再出现</translation>
        </message>
        <message>
            <location filename="workbench/gui/findings_panel.py" />
            <source>not looked at again</source>
            <translation>未再次检查</translation>
        </message>
        <message>
            <location filename="workbench/gui/findings_panel.py" />
            <source>Nothing found any more.</source>
            <translation>不再有诊断结果。</translation>
        </message>
        <message>
            <location filename="workbench/gui/findings_panel.py" />
            <location filename="workbench/gui/panels.py" />
            <source>Findings</source>
            <translation>诊断结果</translation>
        </message>
        <message>
            <location filename="workbench/gui/findings_panel.py" />
            <source>Weights, and the error of each layer, were not looked into.</source>
            <translation>尚未查看权重和各层误差。</translation>
        </message>
        <message>
            <location filename="workbench/gui/findings_panel.py" />
            <source>{0} serious</source>
            <translation>{0} 项严重</translation>
        </message>
        <message>
            <location filename="workbench/gui/findings_panel.py" />
            <source>{0} to look at</source>
            <translation>{0} 项需查看</translation>
        </message>
        <message>
            <location filename="workbench/gui/findings_panel.py" />
            <source>{0} for information</source>
            <translation>{0} 项供参考</translation>
        </message>
        <message>
            <location filename="workbench/gui/findings_panel.py" />
            <source>Nothing looked at yet.</source>
            <translation>尚未查看任何内容。</translation>
        </message>
        <message>
            <location filename="workbench/gui/findings_panel.py" />
            <source>Findings come with the first run in INT8.</source>
            <translation>首次以 INT8 运行后即有诊断结果。</translation>
        </message>
        <message>
            <location filename="workbench/gui/findings_panel.py" />
            <source>Nothing found: {0} layers and {1} ranges look well.</source>
            <translation>没有发现问题：{0} 层和 {1} 个范围看来正常。</translation>
        </message>
        <message>
            <location filename="workbench/gui/findings_panel.py" />
            <source>What calibration saw is not kept any more; run again to compare ranges with it.</source>
            <translation>校准所见已不再保留；再次运行即可与范围比较。</translation>
        </message>
        <message>
            <location filename="workbench/gui/findings_panel.py" />
            <source>{0}: {1} of “{2}”</source>
            <translation>{0}：“{2}”的 {1}</translation>
        </message>
        <message>
            <location filename="workbench/gui/findings_panel.py" />
            <source>{0}: {1}</source>
            <translation>{0}：{1}</translation>
        </message>
        <message>
            <location filename="workbench/gui/findings_panel.py" />
            <source>Fix all {0}</source>
            <translation>全部修复（{0}）</translation>
        </message>
        <message>
            <location filename="workbench/gui/findings_panel.py" />
            <source>Show {0} more</source>
            <translation>再显示 {0} 项</translation>
        </message>
        <message>
            <location filename="workbench/gui/findings_panel.py" />
            <source>Findings ({0})</source>
            <translation>诊断结果（{0}）</translation>
        </message>
        <message>
            <location filename="workbench/gui/findings_panel.py" />
            <source>Trial {0} did not get as far as its layers.</source>
            <translation>试验 {0} 没有进行到各层。</translation>
        </message>
        <message>
            <location filename="workbench/gui/findings_panel.py" />
            <source>Nothing found: {0} has no scales that could be wrong.</source>
            <translation>没有发现问题：{0} 没有可能出错的比例因子。</translation>
        </message>
        <message>
            <location filename="workbench/gui/fix_words.py" />
            <source>to measure</source>
            <translation>待测量</translation>
        </message>
        <message>
            <location filename="workbench/gui/fix_words.py" />
            <location filename="resources/i18n/also_shown.txt" />
            <source>applied</source>
            <translation>已生效</translation>
        </message>
        <message>
            <location filename="workbench/gui/fix_words.py" />
            <location filename="resources/i18n/also_shown.txt" />
            <source>refused</source>
            <translation>被拒绝</translation>
        </message>
        <message>
            <location filename="workbench/gui/fix_words.py" />
            <source>no effect</source>
            <translation>未生效</translation>
        </message>
        <message>
            <location filename="workbench/gui/fix_words.py" />
            <source>A range fixed here acts at {0}, where the engine has the scale.</source>
            <translation>此处固定的范围作用于 {0}，引擎的比例因子在那里。</translation>
        </message>
        <message>
            <location filename="workbench/gui/fix_words.py" />
            <source>Fixed to {0}, refused: {1}.</source>
            <translation>固定为 {0}，被拒绝：{1}。</translation>
        </message>
        <message>
            <location filename="workbench/gui/fix_words.py" />
            <source>{0} has no scale here: a range fixed on it changes nothing.</source>
            <translation>{0} 在此没有比例因子：固定其范围不起作用。</translation>
        </message>
        <message>
            <location filename="workbench/gui/fix_words.py" />
            <source>Fixed to {0}, applied and read back.</source>
            <translation>固定为 {0}，已应用并回读。</translation>
        </message>
        <message>
            <location filename="workbench/gui/fix_words.py" />
            <source>Fixed to {0}, not measured yet.</source>
            <translation>固定为 {0}，尚未测量。</translation>
        </message>
        <message>
            <location filename="workbench/gui/fix_words.py" />
            <source>Fixed to {0} without effect: {1} has no scale here.</source>
            <translation>固定为 {0}，未生效：{1} 在此没有比例因子。</translation>
        </message>
        <message>
            <location filename="workbench/gui/fix_words.py" />
            <source>Fixed to {0}, applied at {1}, where this group ends.</source>
            <translation>固定为 {0}，应用于 {1}，即该组的末端。</translation>
        </message>
        <message>
            <location filename="workbench/gui/import_dialog.py" />
            <source>{0}: {1} {2}, made on {3} with {4}</source>
            <translation>{0}：{1} {2}，{3} 由 {4} 导出</translation>
        </message>
        <message>
            <location filename="workbench/gui/import_dialog.py" />
            <source>Bundle of another machine</source>
            <translation>另一台机器的导出包</translation>
        </message>
        <message>
            <location filename="workbench/gui/import_dialog.py" />
            <source>It runs here from its own files; that takes a minute.</source>
            <translation>正在用其自身文件在这里运行，需要一分钟。</translation>
        </message>
        <message>
            <location filename="workbench/gui/import_dialog.py" />
            <source>It could not be run: a bug of ours.</source>
            <translation>无法运行：这是我们的错误。</translation>
        </message>
        <message>
            <location filename="workbench/gui/import_dialog.py" />
            <source>It answers here as it did there; the table tells how fast.</source>
            <translation>它在此处的应答与当时一致；快慢见表。</translation>
        </message>
        <message>
            <location filename="workbench/gui/import_dialog.py" />
            <source>Do not use it here: a check failed.</source>
            <translation>请勿在这里使用：有一项检查未通过。</translation>
        </message>
        <message>
            <location filename="workbench/gui/import_dialog.py" />
            <source>Cancelled.</source>
            <translation>已取消。</translation>
        </message>
        <message>
            <location filename="workbench/gui/import_dialog.py" />
            <source>there</source>
            <translation>原机器</translation>
        </message>
        <message>
            <location filename="workbench/gui/import_dialog.py" />
            <source>here</source>
            <translation>这里</translation>
        </message>
        <message>
            <location filename="workbench/gui/knob_row.py" />
            <source>Needs a fresh process</source>
            <translation>需要新进程</translation>
        </message>
        <message>
            <location filename="workbench/gui/knob_row.py" />
            <source>Back to {0}</source>
            <translation>恢复为 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/knob_words.py" />
            <source>off</source>
            <translation>关</translation>
        </message>
        <message>
            <location filename="workbench/gui/knob_words.py" />
            <source>auto</source>
            <translation>自动</translation>
        </message>
        <message>
            <location filename="workbench/gui/knob_words.py" />
            <source>library's</source>
            <translation>由库决定</translation>
        </message>
        <message>
            <location filename="workbench/gui/knob_words.py" />
            <source>any</source>
            <translation>任意</translation>
        </message>
        <message>
            <location filename="workbench/gui/knob_words.py" />
            <source>on</source>
            <translation>开</translation>
        </message>
        <message>
            <location filename="workbench/gui/knob_words.py" />
            <source>needs a fresh process</source>
            <translation>需要新进程</translation>
        </message>
        <message>
            <location filename="workbench/gui/knob_words.py" />
            <source>CPU {0} cannot be used; {1} can.</source>
            <translation>CPU {0} 不可使用；可用的是 {1}。</translation>
        </message>
        <message>
            <location filename="workbench/gui/knob_words.py" />
            <source>{0}.</source>
            <translation>{0}。</translation>
        </message>
        <message>
            <location filename="workbench/gui/knob_words.py" />
            <source>It is not available here.</source>
            <translation>此处不可用。</translation>
        </message>
        <message>
            <location filename="workbench/gui/knob_words.py" />
            <source>read back in: {0}</source>
            <translation>回读位置：{0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/knobs_panel.py" />
            <location filename="workbench/gui/layers_panel.py" />
            <source>Reset all</source>
            <translation>全部重置</translation>
        </message>
        <message>
            <location filename="workbench/gui/knobs_panel.py" />
            <source>Put every knob back to its default</source>
            <translation>把每个旋钮恢复为默认值</translation>
        </message>
        <message>
            <location filename="workbench/gui/knobs_panel.py" />
            <source>all knobs: default</source>
            <translation>所有旋钮：默认值</translation>
        </message>
        <message>
            <location filename="workbench/gui/knobs_panel.py" />
            <source>{0} differ from their defaults</source>
            <translation>{0} 项不同于默认值</translation>
        </message>
        <message>
            <location filename="workbench/gui/knobs_panel.py" />
            <source>1 differs from its default</source>
            <translation>1 项与默认值不同</translation>
        </message>
        <message>
            <location filename="workbench/gui/knobs_panel.py" />
            <source>All at their defaults</source>
            <translation>全部为默认值</translation>
        </message>
        <message>
            <location filename="workbench/gui/knobs_panel.py" />
            <source>{0}: default</source>
            <translation>{0}：默认值</translation>
        </message>
        <message>
            <location filename="workbench/gui/knobs_panel.py" />
            <source>{0} changed</source>
            <translation>{0} 项已更改</translation>
        </message>
        <message>
            <location filename="workbench/gui/knobs_panel.py" />
            <source>not with {0}</source>
            <translation>{0} 下不适用</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_model.py" />
            <source>measuring …</source>
            <translation>正在测量…</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_model.py" />
            <source>rung</source>
            <translation>台阶</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_model.py" />
            <source>× step</source>
            <translation>× 每步</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_model.py" />
            <source>class</source>
            <translation>类别</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_model.py" />
            <location filename="workbench/gui/trials_model.py" />
            <source>INT8</source>
            <translation>INT8</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_model.py" />
            <source>What the rung turns; what was turned before stays</source>
            <translation>该台阶调整的旋钮；之前的调整保持不变</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_model.py" />
            <source>How many times as fast as the first rung, logarithmic; the line is the 95 % interval</source>
            <translation>是第一级台阶的多少倍速度（对数）；线段为 95 % 区间</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_model.py" />
            <source>How many times as fast as the rung before</source>
            <translation>是上一级台阶的多少倍速度</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_model.py" />
            <source>Median latency</source>
            <translation>延迟中位数</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_model.py" />
            <source>1 is the same direction as FP32's outputs</source>
            <translation>1 表示与 FP32 的输出方向相同</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_model.py" />
            <source>Evaluation items for which FP32 says the same class</source>
            <translation>与 FP32 判为同一类别的评估样本</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_model.py" />
            <source>Layers that ran in INT8, of those that were planned to</source>
            <translation>以 INT8 运行的层 / 计划的层</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <location filename="workbench/gui/sweep_panel.py" />
            <source>Show in Latency</source>
            <translation>在延迟面板中显示</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <location filename="workbench/gui/sweep_panel.py" />
            <source>Its histogram and figures</source>
            <translation>其直方图和数据</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <source>Use this config</source>
            <translation>使用此配置</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <source>Set all knobs as here</source>
            <translation>按此设置所有旋钮</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <location filename="workbench/gui/trials_panel.py" />
            <source>Pin as A</source>
            <translation>设为 A</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <location filename="workbench/gui/trials_panel.py" />
            <source>One side of the comparison</source>
            <translation>比较的一侧</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <location filename="workbench/gui/trials_panel.py" />
            <source>Pin as B</source>
            <translation>设为 B</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <location filename="workbench/gui/trials_panel.py" />
            <source>The other side</source>
            <translation>另一侧</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <source>Ladders that were climbed before</source>
            <translation>以前攀登过的阶梯</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <location filename="workbench/gui/panels.py" />
            <source>Ladder</source>
            <translation>阶梯</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <source>Each rung runs in one process. Where processes of one config differ by more than a rung brings, no difference can be shown; the compare panel measures two rungs side by side.</source>
            <translation>每级台阶在一个进程中运行。若同一配置的进程间差异超过该台阶的收益，便无法显示差异；比较面板可对照测量两级台阶。</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <location filename="workbench/gui/ladder_words.py" />
            <location filename="workbench/gui/sweep_words.py" />
            <location filename="resources/i18n/also_shown.txt" />
            <source>faster</source>
            <translation>变快</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <location filename="workbench/gui/ladder_words.py" />
            <location filename="workbench/gui/sweep_words.py" />
            <location filename="resources/i18n/also_shown.txt" />
            <source>slower</source>
            <translation>变慢</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <location filename="workbench/gui/ladder_words.py" />
            <location filename="workbench/gui/sweep_words.py" />
            <source>no difference shown</source>
            <translation>未显示出差异</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <location filename="workbench/gui/sweep_panel.py" />
            <source>95 % interval</source>
            <translation>95 % 区间</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <source>Climb the ladder</source>
            <translation>攀登阶梯</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <source>On top of the current knobs: affinity, calibration and preprocessing hold on all rungs</source>
            <translation>以当前旋钮为基础：亲和性、校准和预处理在所有台阶上保持不变</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <location filename="workbench/gui/latency_panel.py" />
            <location filename="workbench/gui/layers_panel.py" />
            <location filename="workbench/gui/sweep_panel.py" />
            <source>No model yet.</source>
            <translation>尚无模型。</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <location filename="workbench/gui/latency_panel.py" />
            <location filename="workbench/gui/layers_panel.py" />
            <location filename="workbench/gui/sweep_panel.py" />
            <source>Open one, or drop a file on the window.</source>
            <translation>请打开一个，或把文件拖到窗口上。</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <source>The ladder has not been climbed yet.</source>
            <translation>尚未攀登阶梯。</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <source>It goes from the naive way to INT8, one knob at a time, and takes a few minutes.</source>
            <translation>它从最朴素的方式到 INT8，每次一个旋钮，需要几分钟。</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <source>first rung, at the end</source>
            <translation>第一级台阶，最后重测</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_panel.py" />
            <location filename="workbench/gui/trials_panel.py" />
            <source>config of trial {0}</source>
            <translation>试验 {0} 的配置</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_words.py" />
            <location filename="resources/i18n/also_shown.txt" />
            <source>naive</source>
            <translation>朴素方式</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_words.py" />
            <location filename="workbench/study/ladder.py" />
            <source>inference mode</source>
            <translation>推理模式</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_words.py" />
            <location filename="workbench/study/ladder.py" />
            <source>threads = cores</source>
            <translation>线程数 = 核数</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_words.py" />
            <location filename="workbench/study/ladder.py" />
            <source>channels last</source>
            <translation>通道末置</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_words.py" />
            <location filename="workbench/study/ladder.py" />
            <source>padding folded</source>
            <translation>填充已折叠</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_words.py" />
            <location filename="workbench/study/ladder.py" />
            <source>channels aligned</source>
            <translation>通道对齐</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_words.py" />
            <location filename="workbench/study/ladder.py" />
            <source>frozen graph</source>
            <translation>冻结图</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_words.py" />
            <location filename="workbench/study/ladder.py" />
            <source>optimized graph</source>
            <translation>优化图</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_words.py" />
            <location filename="workbench/study/ladder.py" />
            <source>graph optimization</source>
            <translation>图优化</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_words.py" />
            <location filename="workbench/study/ladder.py" />
            <source>INT8 dynamic, PyTorch</source>
            <translation>INT8 动态，PyTorch</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_words.py" />
            <location filename="workbench/study/ladder.py" />
            <source>INT8 dynamic, ONNX</source>
            <translation>INT8 动态，ONNX</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_words.py" />
            <location filename="workbench/study/ladder.py" />
            <source>INT8 dynamic</source>
            <translation>INT8 动态</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_words.py" />
            <source>{0} as fast as the rung before; 95 % interval {1} to {2}, 1 process each</source>
            <translation>速度为上一级台阶的 {0}；95 % 区间 {1} 到 {2}，各 1 个进程</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_words.py" />
            <source>Fastest: {0}, {1} ms, {2} as fast as the first rung</source>
            <translation>最快：{0}，{1} ms，速度为第一级台阶的 {2}</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_words.py" />
            <source>; accuracy unknown without data</source>
            <translation>；没有数据，准确度未知</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_words.py" />
            <source>start</source>
            <translation>起点</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_words.py" />
            <source>turns {0}</source>
            <translation>调整 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_words.py" />
            <source>; cosine {0} to FP32</source>
            <translation>；与 FP32 的余弦相似度 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/ladder_words.py" />
            <source>{0} as fast as the first rung</source>
            <translation>速度为第一级台阶的 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_panel.py" />
            <source>log ms</source>
            <translation>对数时间</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_panel.py" />
            <source>Logarithmic latencies: shows the tail and the bulk.</source>
            <translation>对数延迟轴：同时看清尾部与主体。</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_panel.py" />
            <source>log runs</source>
            <translation>对数次数</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_panel.py" />
            <source>Logarithmic counts: a single slow run shows.</source>
            <translation>对数次数轴：单次慢速运行也能看到。</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_panel.py" />
            <source>The baseline is scaled to as many runs. Warm-up and first runs after a gap are in no figure.</source>
            <translation>基线已按相同次数缩放。预热与间隙后的首次运行不计入任何数值。</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_panel.py" />
            <source>Nothing measured yet.</source>
            <translation>尚未测量。</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_panel.py" />
            <source>“Run once” takes a few seconds; “Live” follows the knobs.</source>
            <translation>“运行”只需几秒；“实时”会跟随旋钮。</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_panel.py" />
            <location filename="workbench/gui/latency_table.py" />
            <source>this run</source>
            <translation>本次运行</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_panel.py" />
            <source>warm-up</source>
            <translation>预热</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_panel.py" />
            <source>first after a gap</source>
            <translation>间隙后首次</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_panel.py" />
            <source>above the plot</source>
            <translation>超出图上沿</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_panel.py" />
            <source>The log may tell more. Change the knobs and run again.</source>
            <translation>日志中可能有更多信息。请改变旋钮后重新运行。</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_panel.py" />
            <location filename="workbench/gui/log.py" />
            <source>{0} runs</source>
            <translation>{0} 次运行</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_panel.py" />
            <source>Kernels are counted at the end.</source>
            <translation>内核在最后统计。</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_panel.py" />
            <source>Trial {0} was not timed: {1}</source>
            <translation>试验 {0} 未计时：{1}</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_panel.py" />
            <source>{0} of {1} runs</source>
            <translation>{1} 次运行中的 {0} 次</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_panel.py" />
            <source>Measuring {0} – {1}</source>
            <translation>正在测量 {0} – {1}</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_panel.py" />
            <location filename="workbench/gui/sweep_panel.py" />
            <source>baseline: {0}</source>
            <translation>基线：{0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_plots.py" />
            <source>Double-click to set the deadline; drag its dashed line to move it.</source>
            <translation>双击设置时限；拖动虚线可移动时限。</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_plots.py" />
            <source>run</source>
            <translation>运行序号</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_plots.py" />
            <location filename="workbench/gui/network_colours.py" />
            <source>{0} ms</source>
            <translation>{0} ms</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_plots.py" />
            <source>{0} beyond, up to {1} ms →</source>
            <translation>另有 {0} 次，最高 {1} ms →</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_plots.py" />
            <source>{0} beyond →</source>
            <translation>{0} 个在右侧之外 →</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_plots.py" />
            <source>baseline at {0} ms →</source>
            <translation>基线位于 {0} ms →</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_plots.py" />
            <source>{0} ms →</source>
            <translation>{0} ms →</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_plots.py" />
            <source>← baseline at {0} ms</source>
            <translation>← 基线位于 {0} ms</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_plots.py" />
            <source>← {0} ms</source>
            <translation>← {0} ms</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_table.py" />
            <source>Baseline divided by this run; of runs per second the other way round. Above 1 this run is better.</source>
            <translation>基线除以本次运行；每秒运行数则相反。大于 1 表示本次运行更好。</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_table.py" />
            <source>The 99th percentile means something from 100 runs up.</source>
            <translation>从 100 次运行起，第 99 百分位数才有意义。</translation>
        </message>
        <message>
            <location filename="workbench/gui/latency_table.py" />
            <source>better by</source>
            <translation>改善</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_model.py" />
            <source>op</source>
            <translation>算子</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_model.py" />
            <source>own dB</source>
            <translation>自身 dB</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_model.py" />
            <source>all dB</source>
            <translation>累计 dB</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_model.py" />
            <source>only dB</source>
            <translation>仅此 dB</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_model.py" />
            <source>without dB</source>
            <translation>除此 dB</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_model.py" />
            <location filename="workbench/gui/range_editor.py" />
            <source>scale</source>
            <translation>比例因子</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_model.py" />
            <source>zero</source>
            <translation>零点</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_model.py" />
            <source>remarkable</source>
            <translation>备注</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_model.py" />
            <source>In the order of execution.</source>
            <translation>按执行顺序。</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_model.py" />
            <source>Named as in the model. Layers below ↳ ran in the kernel of the one above.</source>
            <translation>名称同模型。↳ 以下的层在上一层的内核中运行。</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_model.py" />
            <source>What the arithmetic was done in; pinned layers in brackets.</source>
            <translation>实际运算所用的格式；括号内为固定的层。</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_model.py" />
            <source>Of the proof pass, which runs once: good for shares, not for latencies.</source>
            <translation>来自只运行一次的核实过程：适合看占比，不适合看延迟。</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_model.py" />
            <source>Of the time of all kernels.</source>
            <translation>占全部内核时间的比例。</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_model.py" />
            <source>Error (SQNR) of this layer alone in INT8, at its output. Higher is better: 6 dB halve the error.</source>
            <translation>仅该层为 INT8 时，其输出处的误差（SQNR）。越高越好：6 dB 使误差减半。</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_model.py" />
            <source>Error (SQNR) at this layer's output with all layers in INT8.</source>
            <translation>所有层为 INT8 时，该层输出处的误差（SQNR）。</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_model.py" />
            <source>Error (SQNR) at the model's outputs with only this layer in INT8: the lowest costs most.</source>
            <translation>仅该层为 INT8 时，模型输出处的误差（SQNR）：最低者代价最大。</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_model.py" />
            <source>Error (SQNR) at the model's outputs with all layers but this in INT8: the highest gains most.</source>
            <translation>除该层外全部为 INT8 时，模型输出处的误差（SQNR）：最高者收益最大。</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_model.py" />
            <source>Step between two levels of the output, read back from the built model.</source>
            <translation>输出相邻两级之间的步长，从构建的模型回读。</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_model.py" />
            <source>Level that stands for 0.</source>
            <translation>代表 0 的量化级。</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_model.py" />
            <source>What the config fixes, and whether the engine obeyed.</source>
            <translation>配置所固定的内容，以及引擎是否遵从。</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_model.py" />
            <source>{0}
Ran in the kernel of {1}.</source>
            <translation>{0}
在 {1} 的内核中运行。</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_model.py" />
            <source>{0}
One kernel with {1}.</source>
            <translation>{0}
与 {1} 同一内核。</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_panel.py" />
            <source>Search: conv  int8  clip</source>
            <translation>搜索：conv  int8  截断</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_panel.py" />
            <source>fused</source>
            <translation>融合层</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_panel.py" />
            <source>Also show layers that ran in the kernel of another one</source>
            <translation>同时显示在其他层的内核中运行的层</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_panel.py" />
            <source>Sensitivity</source>
            <translation>敏感度</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_panel.py" />
            <source>Leave all ranges to calibration and all layers to the engine</source>
            <translation>所有范围交给校准，所有层交给引擎</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_panel.py" />
            <source>No layers yet.</source>
            <translation>还没有层。</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_panel.py" />
            <source>A run shows what each layer took; INT8 also shows scales.</source>
            <translation>运行后显示各层用时；INT8 还显示比例因子。</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_panel.py" />
            <source>These are the layers of {0}; what you change goes to the config: {1}.</source>
            <translation>这些是 {0} 的层；您的更改写入配置：{1}。</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_panel.py" />
            <source>This trial shows no layers.</source>
            <translation>该试验没有层信息。</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_panel.py" />
            <source>Also try all layers but one in INT8, for {0} s at most; goes on where it stopped</source>
            <translation>同时逐层尝试除该层外全部 INT8，最多 {0} 秒；可从中断处继续</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_panel.py" />
            <location filename="workbench/gui/range_editor.py" />
            <source>Look into the layers</source>
            <translation>查看各层</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_panel.py" />
            <location filename="workbench/gui/range_editor.py" />
            <source>Set precision INT8</source>
            <translation>精度设为 INT8</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_panel.py" />
            <source>Measuring …  p50 {0} → {1} ms so far</source>
            <translation>正在测量…  目前 p50 {0} → {1} ms</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_panel.py" />
            <source>cosine {0} → {1}</source>
            <translation>余弦相似度 {0} → {1}</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_panel.py" />
            <source>p50 {0} → {1} ms</source>
            <translation>p50 {0} → {1} ms</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_panel.py" />
            <location filename="workbench/gui/trials_panel.py" />
            <source>{0} of {1}</source>
            <translation>{1} 项中的 {0} 项</translation>
        </message>
        <message>
            <location filename="workbench/gui/layers_table.py" />
            <source>Leave to the engine</source>
            <translation>交给引擎决定</translation>
        </message>
        <message>
            <location filename="workbench/gui/log.py" />
            <source>done</source>
            <translation>完成</translation>
        </message>
        <message>
            <location filename="workbench/gui/log.py" />
            <source>Starting {0}</source>
            <translation>开始 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/log.py" />
            <location filename="workbench/gui/trial_words.py" />
            <location filename="workbench/gui/worst_items.py" />
            <source>, </source>
            <translation>，</translation>
        </message>
        <message>
            <location filename="workbench/gui/log.py" />
            <source>This is a bug of the workbench, not of yours:</source>
            <translation>这是工作台的缺陷，不是您的错：</translation>
        </message>
        <message>
            <location filename="workbench/gui/log.py" />
            <source>{0} more in the trial's record</source>
            <translation>试验记录中另有 {0} 条</translation>
        </message>
        <message>
            <location filename="workbench/gui/log.py" />
            <source>p99 {0} ms</source>
            <translation>p99 {0} ms</translation>
        </message>
        <message>
            <location filename="workbench/gui/log_panel.py" />
            <source>Nothing has happened yet.</source>
            <translation>尚无事件。</translation>
        </message>
        <message>
            <location filename="workbench/gui/log_panel.py" />
            <source>Phases, warnings and errors of runs appear here.</source>
            <translation>运行的阶段、警告和错误会显示在这里。</translation>
        </message>
        <message>
            <location filename="workbench/gui/log_panel.py" />
            <source>Phases</source>
            <translation>阶段</translation>
        </message>
        <message>
            <location filename="workbench/gui/log_panel.py" />
            <source>What a run is doing, and its result</source>
            <translation>运行正在做什么，以及其结果</translation>
        </message>
        <message>
            <location filename="workbench/gui/log_panel.py" />
            <source>Notices</source>
            <translation>提示</translation>
        </message>
        <message>
            <location filename="workbench/gui/log_panel.py" />
            <source>Warnings of the workbench about a run</source>
            <translation>工作台对运行的警告</translation>
        </message>
        <message>
            <location filename="workbench/gui/log_panel.py" />
            <source>Libraries</source>
            <translation>库</translation>
        </message>
        <message>
            <location filename="workbench/gui/log_panel.py" />
            <source>What engines and their libraries said</source>
            <translation>引擎及其库的输出</translation>
        </message>
        <message>
            <location filename="workbench/gui/log_panel.py" />
            <source>Errors</source>
            <translation>错误</translation>
        </message>
        <message>
            <location filename="workbench/gui/log_panel.py" />
            <source>What failed, why, and what to do about it</source>
            <translation>什么失败了、为什么、该怎么办</translation>
        </message>
        <message>
            <location filename="workbench/gui/log_panel.py" />
            <source>Copy</source>
            <translation>复制</translation>
        </message>
        <message>
            <location filename="workbench/gui/log_panel.py" />
            <source>Copy the lines that are shown</source>
            <translation>复制显示的各行</translation>
        </message>
        <message>
            <location filename="workbench/gui/log_panel.py" />
            <source>Clear</source>
            <translation>清空</translation>
        </message>
        <message>
            <location filename="workbench/gui/log_panel.py" />
            <source>Forget all lines</source>
            <translation>清除所有行</translation>
        </message>
        <message>
            <location filename="workbench/gui/main_window.py" />
            <source> ms</source>
            <translation> ms</translation>
        </message>
        <message>
            <location filename="workbench/gui/main_window.py" />
            <source>none</source>
            <translation>无</translation>
        </message>
        <message>
            <location filename="workbench/gui/main_window.py" />
            <source>Deadline</source>
            <translation>时限</translation>
        </message>
        <message>
            <location filename="workbench/gui/main_window.py" />
            <source>Runs slower than this are counted as missed; 0 is no deadline</source>
            <translation>慢于此值的运行计为超时；0 表示不设时限</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>Shows, measures and proves what each inference optimisation really does on this x86 CPU.

MIT licence. Qt is used under the LGPL, through PySide6 {pyside}.</source>
            <translation>展示、测量并核实每一项推理优化在本机 x86 CPU 上的真实效果。

MIT 许可证。Qt 依据 LGPL 使用，经由 PySide6 {pyside}。</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>About</source>
            <translation>关于</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>&amp;Edit</source>
            <translation>编辑(&amp;E)</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>&amp;Help</source>
            <translation>帮助(&amp;H)</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>&amp;Environment</source>
            <translation>运行环境(&amp;E)</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>&amp;About</source>
            <translation>关于(&amp;A)</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>Measuring</source>
            <translation>测量</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>&amp;Deadline</source>
            <translation>时限(&amp;D)</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>Open sa&amp;mple</source>
            <translation>打开示例(&amp;M)</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>Open &amp;recent</source>
            <translation>最近打开(&amp;R)</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>Re&amp;port</source>
            <translation>报告(&amp;P)</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>&amp;Quit</source>
            <translation>退出(&amp;Q)</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>&amp;Clear list</source>
            <translation>清空列表(&amp;C)</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>&amp;Go to</source>
            <translation>转到(&amp;G)</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>&amp;Theme</source>
            <translation>主题(&amp;T)</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>&amp;Language</source>
            <translation>语言 Language(&amp;L)</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>&amp;Reset layout</source>
            <translation>重置布局(&amp;R)</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>&amp;Start page</source>
            <translation>起始页(&amp;S)</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>As the &amp;system</source>
            <translation>跟随系统(&amp;S)</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>&amp;Light</source>
            <translation>浅色(&amp;L)</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>&amp;Dark</source>
            <translation>深色(&amp;D)</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>&amp;File</source>
            <translation>文件(&amp;F)</translation>
        </message>
        <message>
            <location filename="workbench/gui/menus.py" />
            <source>&amp;View</source>
            <translation>视图(&amp;V)</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <location filename="workbench/gui/opening.py" />
            <source>Open model</source>
            <translation>打开模型</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>Open data</source>
            <translation>打开数据</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>Sample's own data</source>
            <translation>示例自带数据</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>Go back to the data that the sample brings, with its split and labels</source>
            <translation>恢复使用示例自带的数据及其划分和标签</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>Data</source>
            <translation>数据</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>Model file…</source>
            <translation>模型文件…</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>Python function…</source>
            <translation>Python 函数…</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>Folder of pictures…</source>
            <translation>图片文件夹…</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>Array file (.npy, .npz)…</source>
            <translation>数组文件（.npy、.npz）…</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>Calibrate on another folder…</source>
            <translation>用另一个文件夹校准…</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>Labels (.csv)…</source>
            <translation>标签（.csv）…</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>Calibrate on</source>
            <translation>校准数据</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>Labels</source>
            <translation>标签</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>Labels (*.csv)</source>
            <translation>标签 (*.csv)</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>input</source>
            <translation>输入</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>shape</source>
            <translation>形状</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>type</source>
            <translation>类型</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>dynamic</source>
            <translation>动态轴</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>scalar</source>
            <translation>标量</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>No model yet</source>
            <translation>尚无模型</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>Open a file, a Python function or a sample; or drop one onto the window.</source>
            <translation>请打开文件、Python 函数或示例；也可把文件拖到窗口上。</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>trusted pickle</source>
            <translation>已信任的 pickle</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>Its inputs are not known yet.</source>
            <translation>尚不清楚其输入。</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>{0} rejected</source>
            <translation>{0} 个不可用</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>What the model receives</source>
            <translation>模型实际收到的内容</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>Opening {0} …</source>
            <translation>正在打开 {0} …</translation>
        </message>
        <message>
            <location filename="workbench/gui/model_panel.py" />
            <source>… and {0} more</source>
            <translation>… 另有 {0} 个</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_colours.py" />
            <source>{0} dB at the outputs, with this layer alone in INT8</source>
            <translation>仅该层为 INT8 时，输出处 {0} dB</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_colours.py" />
            <source>{0} dB at its own output</source>
            <translation>自身输出处 {0} dB</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_colours.py" />
            <source>≥ {0} dB</source>
            <translation>≥ {0} dB</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_colours.py" />
            <source>≤ {0} dB</source>
            <translation>≤ {0} dB</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_colours.py" />
            <source>runs inside the kernel of {0}</source>
            <translation>在 {0} 的内核中运行</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_colours.py" />
            <source>scale {0}</source>
            <translation>比例因子 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_colours.py" />
            <source>pinned to {0}</source>
            <translation>固定为 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_colours.py" />
            <source>{0} ms in one run</source>
            <translation>单次运行 {0} ms</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_map.py" />
            <source>Map of the network</source>
            <translation>网络图</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_map.py" />
            <source>not known</source>
            <translation>未知</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_map.py" />
            <source>finding</source>
            <translation>诊断结果</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_map.py" />
            <source>pinned</source>
            <translation>已固定</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_map.py" />
            <source>one kernel</source>
            <translation>同一内核</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_panel.py" />
            <source>Leave its precision to the engine</source>
            <translation>精度交给引擎决定</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_panel.py" />
            <source>What each layer alone in INT8 costs, SQNR in dB</source>
            <translation>仅该层为 INT8 的代价，SQNR（dB）</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_panel.py" />
            <source>Share of the time of one run</source>
            <translation>占单次运行时间的比例</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_panel.py" />
            <source>Scale of what leaves the layer</source>
            <translation>该层输出的比例因子</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_panel.py" />
            <source>Number format that the layer ran in</source>
            <translation>该层运行所用的数字格式</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_panel.py" />
            <source>Colour by</source>
            <translation>着色依据</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_panel.py" />
            <source>No layers to show yet.</source>
            <translation>还没有可显示的层。</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_panel.py" />
            <source>They come with the first run that ends well.</source>
            <translation>首次成功运行后即可显示。</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_panel.py" />
            <source>The error of each layer was not looked into.</source>
            <translation>尚未查看各层的误差。</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_panel.py" />
            <source>The current config is not in INT8.</source>
            <translation>当前配置不是 INT8。</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_panel.py" />
            <source>Error</source>
            <translation>误差</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_panel.py" />
            <source>Time</source>
            <translation>时间</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_panel.py" />
            <source>Scale</source>
            <translation>比例因子</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_panel.py" />
            <source>Type</source>
            <translation>类型</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_panel.py" />
            <source>Keep {0} in FP32</source>
            <translation>{0} 保持 FP32</translation>
        </message>
        <message>
            <location filename="workbench/gui/network_panel.py" />
            <source>{0} has no scales, and so no error of a layer.</source>
            <translation>{0} 没有比例因子，因此没有各层误差。</translation>
        </message>
        <message>
            <location filename="workbench/gui/opened.py" />
            <source>Opening the data …</source>
            <translation>正在打开数据 …</translation>
        </message>
        <message>
            <location filename="workbench/gui/opened.py" />
            <source>Looking into the model …</source>
            <translation>正在查看模型 …</translation>
        </message>
        <message>
            <location filename="workbench/gui/opened.py" />
            <source>The data could not be opened.</source>
            <translation>无法打开数据。</translation>
        </message>
        <message>
            <location filename="workbench/gui/opening.py" />
            <source>All files (*)</source>
            <translation>所有文件 (*)</translation>
        </message>
        <message>
            <location filename="workbench/gui/opening.py" />
            <source>Models</source>
            <translation>模型</translation>
        </message>
        <message>
            <location filename="workbench/gui/opening.py" />
            <source>Folder of pictures</source>
            <translation>图片文件夹</translation>
        </message>
        <message>
            <location filename="workbench/gui/opening.py" />
            <source>Array file</source>
            <translation>数组文件</translation>
        </message>
        <message>
            <location filename="workbench/gui/opening.py" />
            <source>Arrays</source>
            <translation>数组</translation>
        </message>
        <message>
            <location filename="workbench/gui/opening.py" />
            <source>Open study</source>
            <translation>打开研究</translation>
        </message>
        <message>
            <location filename="workbench/gui/opening.py" />
            <source>Studies</source>
            <translation>研究</translation>
        </message>
        <message>
            <location filename="workbench/gui/opening.py" />
            <source>Load config</source>
            <translation>载入配置</translation>
        </message>
        <message>
            <location filename="workbench/gui/opening.py" />
            <source>Configs</source>
            <translation>配置</translation>
        </message>
        <message>
            <location filename="workbench/gui/opening.py" />
            <source>Save config</source>
            <translation>保存配置</translation>
        </message>
        <message>
            <location filename="workbench/gui/opening.py" />
            <source>Configs (*.toml)</source>
            <translation>配置 (*.toml)</translation>
        </message>
        <message>
            <location filename="workbench/gui/opening.py" />
            <source>There is no model yet that could be fed with these data.</source>
            <translation>还没有可以使用这些数据的模型。</translation>
        </message>
        <message>
            <location filename="workbench/gui/opening.py" />
            <source>Open a model first, then the data.</source>
            <translation>请先打开模型，再打开数据。</translation>
        </message>
        <message>
            <location filename="workbench/gui/opening.py" />
            <source>The config was not saved.</source>
            <translation>配置未保存。</translation>
        </message>
        <message>
            <location filename="workbench/gui/opening.py" />
            <source>load {name}</source>
            <translation>载入 {name}</translation>
        </message>
        <message>
            <location filename="workbench/gui/panels.py" />
            <source>Knobs</source>
            <translation>旋钮</translation>
        </message>
        <message>
            <location filename="workbench/gui/panels.py" />
            <location filename="resources/report/report.html.jinja" />
            <source>Layers</source>
            <translation>层</translation>
        </message>
        <message>
            <location filename="workbench/gui/panels.py" />
            <source>Network</source>
            <translation>网络</translation>
        </message>
        <message>
            <location filename="workbench/gui/panels.py" />
            <source>Compare</source>
            <translation>比较</translation>
        </message>
        <message>
            <location filename="workbench/gui/panels.py" />
            <location filename="workbench/gui/sweep_panel.py" />
            <source>Sweep</source>
            <translation>扫描</translation>
        </message>
        <message>
            <location filename="workbench/gui/panels.py" />
            <source>Trials</source>
            <translation>试验</translation>
        </message>
        <message>
            <location filename="workbench/gui/panels.py" />
            <source>Log</source>
            <translation>日志</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_editor.py" />
            <source>Size</source>
            <translation>大小</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_editor.py" />
            <source>as the picture is</source>
            <translation>保持图片原样</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_editor.py" />
            <source>Height × width, or one number; empty: no resizing.</source>
            <translation>高 × 宽，或一个数；留空：不缩放。</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_editor.py" />
            <source>Resize</source>
            <translation>缩放</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_editor.py" />
            <source>squash: exactly the size. shorter: keep the aspect and cover the size. letterbox: keep the aspect, fit inside, fill up with gray 114.</source>
            <translation>squash：恰好缩放到该大小。shorter：保持长宽比并覆盖该大小。letterbox：保持长宽比，放入其中，以灰度 114 填充。</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_editor.py" />
            <source>Crop</source>
            <translation>裁剪</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_editor.py" />
            <source>nothing is cut</source>
            <translation>不裁剪</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_editor.py" />
            <source>Centre crop after resizing; height × width or one number.</source>
            <translation>缩放后居中裁剪；高 × 宽，或一个数。</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_editor.py" />
            <source>Color</source>
            <translation>颜色</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_editor.py" />
            <source>Order of the channels, or one gray channel.</source>
            <translation>通道顺序，或单个灰度通道。</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_editor.py" />
            <source>Mean</source>
            <translation>均值</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_editor.py" />
            <source>Subtracted, in 0..255 pixel units; one number or one per channel.</source>
            <translation>被减去的值，以 0..255 像素单位表示；一个数，或每通道一个。</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_editor.py" />
            <source>Divisor</source>
            <translation>除数</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_editor.py" />
            <source>Divides after the mean, in 0..255 pixel units, as std does.</source>
            <translation>减去均值后的除数，以 0..255 像素单位表示，相当于 std。</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_editor.py" />
            <location filename="workbench/core/knobs.py" />
            <source>Layout</source>
            <translation>布局</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_editor.py" />
            <source>Order of the axes that the model takes.</source>
            <translation>模型所需的轴顺序。</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_editor.py" />
            <source>Usual scales</source>
            <translation>常用缩放</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_editor.py" />
            <source>Mean and divisor that models are often trained with</source>
            <translation>模型训练时常用的均值与除数</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_editor.py" />
            <source>The sample's own preprocessing</source>
            <translation>示例自带的预处理</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_editor.py" />
            <source>The data are arrays: the model gets them as they are, cast to its type.</source>
            <translation>数据是数组：模型按原样接收，只转换为其数据类型。</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_editor.py" />
            <source>Without pictures there is nothing to prepare.</source>
            <translation>没有图片，无需预处理。</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_editor.py" />
            <location filename="workbench/gui/session.py" />
            <source>preprocessing</source>
            <translation>预处理</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_words.py" />
            <source>One number, or one per channel with commas between them; in 0..255 pixel units.</source>
            <translation>一个数，或每通道一个、以逗号分隔；以 0..255 像素单位表示。</translation>
        </message>
        <message>
            <location filename="workbench/gui/preprocess_words.py" />
            <source>One number of pixels, or height × width such as 224 × 320; empty leaves it out.</source>
            <translation>一个像素数，或“高 × 宽”，如 224 × 320；留空则不设置。</translation>
        </message>
        <message>
            <location filename="workbench/gui/preset_menu.py" />
            <source>Presets</source>
            <translation>预设</translation>
        </message>
        <message>
            <location filename="workbench/gui/preset_menu.py" />
            <source>A few knobs at once for a kind of machine, model or aim</source>
            <translation>为某类机器、模型或目标一次设置几个旋钮</translation>
        </message>
        <message>
            <location filename="workbench/gui/preset_menu.py" />
            <source>All was so already.</source>
            <translation>本来就是这样。</translation>
        </message>
        <message>
            <location filename="workbench/gui/preset_menu.py" />
            <source>preset: {0}</source>
            <translation>预设：{0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/preset_menu.py" />
            <source>Turned: {0}.</source>
            <translation>已设置：{0}。</translation>
        </message>
        <message>
            <location filename="workbench/gui/preset_menu.py" />
            <source>Seen: {0}</source>
            <translation>所见：{0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/preset_menu.py" />
            <source>{0} (does not fit here)</source>
            <translation>{0}（不适合这里）</translation>
        </message>
        <message>
            <location filename="workbench/gui/quantizer.py" />
            <source>reset all ranges and layers</source>
            <translation>重置所有范围和层</translation>
        </message>
        <message>
            <location filename="workbench/gui/quantizer.py" />
            <source>range of {0}</source>
            <translation>{0} 的范围</translation>
        </message>
        <message>
            <location filename="workbench/gui/quantizer.py" />
            <source>reset {0}</source>
            <translation>重置 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/quantizer.py" />
            <source>{0} in {1}</source>
            <translation>{1} 中的 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/quantizer.py" />
            <source>free {0}</source>
            <translation>解除 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/quantizer.py" />
            <source>precision of {0} layers</source>
            <translation>{0} 层的精度</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>{0} output channels, each with a scale of its own.</source>
            <translation>{0} 个输出通道，各有自己的比例因子。</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <location filename="workbench/gui/tensor_preview.py" />
            <source>min</source>
            <translation>最小值</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>Fix the lower end; unticked, calibration decides</source>
            <translation>固定下端；不勾选则由校准决定</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <location filename="workbench/gui/tensor_preview.py" />
            <source>max</source>
            <translation>最大值</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>Fix the upper end; unticked, calibration decides</source>
            <translation>固定上端；不勾选则由校准决定</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>Apply</source>
            <translation>应用</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>Fix the range and measure (Return)</source>
            <translation>固定范围并测量（回车）</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>Reset</source>
            <translation>重置</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>Leave this range to calibration again</source>
            <translation>将该范围重新交给校准</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>Keep FP32</source>
            <translation>保持 FP32</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>Run this layer in FP32</source>
            <translation>该层以 FP32 运行</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>Live</source>
            <translation>实时</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>Apply whenever a handle is let go, and measure at once</source>
            <translation>每次松开手柄即应用并立即测量</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>log</source>
            <translation>对数</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>Logarithmic counts: rare values show.</source>
            <translation>对数计数：罕见的值也能看到。</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>No value of {0} was finite.</source>
            <translation>{0} 没有任何有限值。</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>Calibration never reached {0}.</source>
            <translation>校准从未到达 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>Fix its range by hand.</source>
            <translation>请手动固定其范围。</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>expected SQNR</source>
            <translation>预期 SQNR</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>zero point</source>
            <translation>零点</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>clipped</source>
            <translation>已截断</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>Select a layer.</source>
            <translation>请选择一层。</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>This trial has no scales.</source>
            <translation>该试验没有比例因子。</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>INT8 shows them, and what they cost.</source>
            <translation>INT8 会显示它们及其代价。</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>INT8 shows scales.</source>
            <translation>INT8 会显示比例因子。</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>This trial has none to look at or to fix.</source>
            <translation>该试验没有可查看或固定的比例因子。</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>What calibration saw is not kept.</source>
            <translation>校准所见没有保留。</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>A look into the layers, with data, keeps it.</source>
            <translation>在有数据时查看各层即会保留。</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>{0} output channels under one scale.</source>
            <translation>{0} 个输出通道共用一个比例因子。</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>{0} never vary.</source>
            <translation>{0} 个从不变化。</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>{0} can overflow int16 without VNNI.</source>
            <translation>{0} 个在没有 VNNI 时可能溢出 int16。</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_editor.py" />
            <source>No values of {0} were kept.</source>
            <translation>没有保留 {0} 的值。</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_plot.py" />
            <source>Histogram with the range</source>
            <translation>带范围的直方图</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_plot.py" />
            <source>Drag the lines, or move the last one with ← → (Shift: ten levels). The wheel zooms.</source>
            <translation>拖动竖线，或用 ← → 移动上次的线（Shift：十级）。滚轮缩放。</translation>
        </message>
        <message>
            <location filename="workbench/gui/range_plot.py" />
            <source>cut at {0}</source>
            <translation>在 {0} 截断</translation>
        </message>
        <message>
            <location filename="workbench/gui/repair_trials.py" />
            <source>undo a repair</source>
            <translation>撤销修复</translation>
        </message>
        <message>
            <location filename="workbench/gui/series_jobs.py" />
            <source>the first rung again</source>
            <translation>再测第一级台阶</translation>
        </message>
        <message>
            <location filename="workbench/gui/series_jobs.py" />
            <source>The comparison ended with trial {0}, which is {1}.</source>
            <translation>比较以试验 {0} 结束，其状态为{1}。</translation>
        </message>
        <message>
            <location filename="workbench/gui/series_jobs.py" />
            <source>Run that side alone to see more.</source>
            <translation>单独运行该侧可了解更多。</translation>
        </message>
        <message>
            <location filename="workbench/gui/series_jobs.py" />
            <source>Nothing can be compared: the knobs as they are cannot be measured.</source>
            <translation>无可比较：当前的旋钮设置无法测量。</translation>
        </message>
        <message>
            <location filename="workbench/gui/series_jobs.py" />
            <source>Run them alone to see more.</source>
            <translation>单独运行可了解更多。</translation>
        </message>
        <message>
            <location filename="workbench/gui/series_jobs.py" />
            <source>{0}, process {1} of {2}</source>
            <translation>{0}，第 {1} / {2} 个进程</translation>
        </message>
        <message>
            <location filename="workbench/gui/series_jobs.py" />
            <source>rung {0}, {1}</source>
            <translation>台阶 {0}，{1}</translation>
        </message>
        <message>
            <location filename="workbench/gui/series_jobs.py" />
            <source>{0}: {1}, process {2} of {3}</source>
            <translation>{0}：{1}，第 {2} 个进程，共 {3} 个</translation>
        </message>
        <message>
            <location filename="workbench/gui/session.py" />
            <source>engine for this file</source>
            <translation>适用于该文件的引擎</translation>
        </message>
        <message>
            <location filename="workbench/gui/session.py" />
            <source>other data</source>
            <translation>更换数据</translation>
        </message>
        <message>
            <location filename="workbench/gui/start_page.py" />
            <source>Opened last</source>
            <translation>最近打开</translation>
        </message>
        <message>
            <location filename="workbench/gui/start_page.py" />
            <source>What does this CPU do with your model?</source>
            <translation>您的模型在这颗 CPU 上表现如何？</translation>
        </message>
        <message>
            <location filename="workbench/gui/start_page.py" />
            <source>Open a model or try a sample, turn the knobs, and see what each of them does to latency and accuracy.</source>
            <translation>打开模型或试用示例，转动旋钮，观察每个旋钮对延迟和准确度的影响。</translation>
        </message>
        <message>
            <location filename="workbench/gui/start_page.py" />
            <source>trained</source>
            <translation>已训练</translation>
        </message>
        <message>
            <location filename="workbench/gui/start_page.py" />
            <source>for speed only</source>
            <translation>仅用于测速</translation>
        </message>
        <message>
            <location filename="workbench/gui/start_page.py" />
            <source>Samples</source>
            <comment>models</comment>
            <translation>示例</translation>
        </message>
        <message>
            <location filename="workbench/gui/start_page.py" />
            <source>A model, a folder of pictures for it, or a bundle can also be dropped anywhere here.</source>
            <translation>也可以把模型、供其使用的图片文件夹或导出包拖到这里的任意位置。</translation>
        </message>
        <message>
            <location filename="workbench/gui/start_page.py" />
            <source>Not installed. Run: pip install 'inference-workbench[{extra}]'</source>
            <translation>尚未安装。请运行：pip install 'inference-workbench[{extra}]'</translation>
        </message>
        <message>
            <location filename="workbench/gui/status_bar.py" />
            <source>1 core</source>
            <translation>1 核</translation>
        </message>
        <message>
            <location filename="workbench/gui/status_bar.py" />
            <source>nothing measured yet</source>
            <translation>尚未测量</translation>
        </message>
        <message>
            <location filename="workbench/gui/status_bar.py" />
            <source>Stop the worker; what was measured is kept</source>
            <translation>停止工作进程；已测得的结果会保留</translation>
        </message>
        <message>
            <location filename="workbench/gui/status_bar.py" />
            <source>starting the worker</source>
            <translation>正在启动工作进程</translation>
        </message>
        <message>
            <location filename="workbench/gui/status_bar.py" />
            <source>judged when the run has ended</source>
            <translation>运行结束后评定</translation>
        </message>
        <message>
            <location filename="workbench/gui/status_bar.py" />
            <source>idle</source>
            <translation>空闲</translation>
        </message>
        <message>
            <location filename="workbench/gui/status_bar.py" />
            <source>not timed</source>
            <translation>未计时</translation>
        </message>
        <message>
            <location filename="workbench/gui/status_bar.py" />
            <source>opening {name} …</source>
            <translation>正在打开 {name} …</translation>
        </message>
        <message>
            <location filename="workbench/gui/suggest_button.py" />
            <source>Suggest</source>
            <translation>建议</translation>
        </message>
        <message>
            <location filename="workbench/gui/suggest_button.py" />
            <source>Take the range with the least squared error</source>
            <translation>采用平方误差最小的范围</translation>
        </message>
        <message>
            <location filename="workbench/gui/suggest_button.py" />
            <source>What the next operation lets through</source>
            <translation>下一个运算所放行的部分</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_model.py" />
            <source>per sample</source>
            <translation>每样本</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_model.py" />
            <source>p99 × baseline</source>
            <translation>p99 × 基线</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_model.py" />
            <location filename="workbench/gui/sweep_plots.py" />
            <source>samples/s</source>
            <translation>样本/秒</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_model.py" />
            <source>value</source>
            <translation>取值</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_model.py" />
            <source>× baseline</source>
            <translation>× 基线</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_model.py" />
            <source>p50 × baseline</source>
            <translation>p50 × 基线</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_model.py" />
            <source>p50 in ms divided by the batch</source>
            <translation>p50（毫秒）除以批量</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_model.py" />
            <source>Time over the baseline's with its 95 % interval over processes; below 1 is faster</source>
            <translation>用时与基线用时之比，及其在各进程间的 95 % 区间；小于 1 即更快</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_model.py" />
            <source>P99 of a run over the baseline's: every sample of a batch waits for all of it</source>
            <translation>一次运行的 P99 与基线之比：批中的每个样本都要等待整批完成</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_panel.py" />
            <source>Take this value</source>
            <translation>采用此取值</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_panel.py" />
            <source>Turn the knob to it</source>
            <translation>把旋钮转到该取值</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_panel.py" />
            <source>Knob to sweep</source>
            <translation>要扫描的旋钮</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_panel.py" />
            <source>Values</source>
            <translation>取值</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_panel.py" />
            <source>Values with commas in between; CPU lists with slashes. Empty: those worth trying on this machine.</source>
            <translation>取值之间用逗号分隔；CPU 列表之间用斜杠。留空：本机上值得一试的取值。</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_panel.py" />
            <source>Quick: three processes per value. Thorough: five, which shows smaller differences.</source>
            <translation>快速：每个取值三个进程。彻底：五个，可显示更小的差异。</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_panel.py" />
            <source>Sweeps that were measured before</source>
            <translation>以前测量过的扫描</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_panel.py" />
            <location filename="workbench/gui/sweep_words.py" />
            <source>p50 per sample</source>
            <translation>每样本 p50</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_panel.py" />
            <source>p99 of a run</source>
            <translation>单次运行 p99</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_panel.py" />
            <source>Sweep</source>
            <comment>verb</comment>
            <translation>扫描</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_panel.py" />
            <source>Each value in several fresh processes, in turn with the knobs as they are (F9)</source>
            <translation>每个取值在多个新进程中运行，与当前旋钮设置轮流进行 (F9)</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_panel.py" />
            <source>Stopped before its end; this is what was measured.</source>
            <translation>未完成即停止；以下为已测量的部分。</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_panel.py" />
            <source>V1,V2,…</source>
            <translation>V1,V2,…</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_panel.py" />
            <source>Measuring {0}</source>
            <translation>正在测量 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_panel.py" />
            <source>No knob has been swept yet.</source>
            <translation>尚未扫描过旋钮。</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_panel.py" />
            <source>Choose one above: its values are measured against the knobs as they are, the median and the tail apart. The best setting for one is often not the best for the other.</source>
            <translation>在上方选择一个：以当前旋钮为对照测量其各个取值，中位数与尾部分别比较。对其一最好的设置往往不是对另一最好的。</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_panel.py" />
            <source>Processes per value: {0}.</source>
            <translation>每个取值的进程数：{0}。</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_panel.py" />
            <source>Take {0}</source>
            <translation>采用 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_panel.py" />
            <source>Turn {0} to it; Ctrl+Z takes that back</source>
            <translation>把{0}转到该取值；Ctrl+Z 可撤销</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_plots.py" />
            <source>time over the baseline's</source>
            <translation>用时与基线之比</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_plots.py" />
            <source>knee: {0}</source>
            <translation>拐点：{0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_words.py" />
            <source>Median (p50)</source>
            <translation>中位数 (p50)</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_words.py" />
            <source>Knee at {0}: from there a doubling brings less than {1} more throughput.</source>
            <translation>拐点在 {0}：此后每翻一倍，吞吐量的提升不到 {1}。</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_words.py" />
            <source>p50 {0} ms, p99 {1} ms, slowest run {2} ms</source>
            <translation>p50 {0} ms，p99 {1} ms，最慢一次 {2} ms</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_words.py" />
            <source>processes: {0}, trials {1}</source>
            <translation>进程数：{0}，试验 {1}</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_words.py" />
            <source>{0}: {1} takes {2} as long as {3} (95 %: {4}–{5}).</source>
            <translation>{0}：{1} 的用时为 {3} 的 {2}（95 %：{4}–{5}）。</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_words.py" />
            <source>Tail (p99)</source>
            <translation>尾部 (p99)</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_words.py" />
            <source>Throughput (p50 per sample)</source>
            <translation>吞吐量（每样本 p50）</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_words.py" />
            <source>No knee: the largest value still brings more throughput.</source>
            <translation>没有拐点：最大的取值仍能提升吞吐量。</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_words.py" />
            <source>{0}: {1} the baseline's, 95 % interval {2} to {3}: {4}</source>
            <translation>{0}：为基线的 {1}，95 % 区间 {2} 到 {3}：{4}</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_words.py" />
            <source>{0}: nothing could be compared.</source>
            <translation>{0}：无可比较。</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_words.py" />
            <source>{0}: keep {1}, all others are slower.</source>
            <translation>{0}：保持 {1}，其他取值都更慢。</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_words.py" />
            <source>{0}: no difference shown to {1} that is worth a change.</source>
            <translation>{0}：未显示出与 {1} 有值得更改的差异。</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_words.py" />
            <source>{0}: not known, it takes 100 runs per process.</source>
            <translation>{0}：未知，每个进程需要 100 次运行。</translation>
        </message>
        <message>
            <location filename="workbench/gui/sweep_words.py" />
            <source>{0} samples/s</source>
            <translation>{0} 样本/秒</translation>
        </message>
        <message>
            <location filename="workbench/gui/tensor_choice.py" />
            <source>Tensors that the layer reads, its weights, and what leaves it</source>
            <translation>该层读取的张量、其权重及其输出</translation>
        </message>
        <message>
            <location filename="workbench/gui/tensor_choice.py" />
            <source>output  {0}</source>
            <translation>输出  {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/tensor_choice.py" />
            <source>input  {0}</source>
            <translation>输入  {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/tensor_choice.py" />
            <source>weights  {0}</source>
            <translation>权重  {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/tensor_preview.py" />
            <source>The data cannot be used; the reason stands above.</source>
            <translation>数据无法使用；原因见上方。</translation>
        </message>
        <message>
            <location filename="workbench/gui/tensor_preview.py" />
            <source>Number of the evaluation sample</source>
            <translation>评估样本的编号</translation>
        </message>
        <message>
            <location filename="workbench/gui/tensor_preview.py" />
            <source>Which evaluation sample is shown</source>
            <translation>显示哪一个评估样本</translation>
        </message>
        <message>
            <location filename="workbench/gui/tensor_preview.py" />
            <source>Input of the model</source>
            <translation>模型的输入</translation>
        </message>
        <message>
            <location filename="workbench/gui/tensor_preview.py" />
            <source>Channels 0, 1, 2 as red, green, blue; or each by itself</source>
            <translation>通道 0、1、2 作为红、绿、蓝；或逐个显示</translation>
        </message>
        <message>
            <location filename="workbench/gui/tensor_preview.py" />
            <source>Open a model to see what it receives.</source>
            <translation>打开模型后可查看它实际收到的内容。</translation>
        </message>
        <message>
            <location filename="workbench/gui/tensor_preview.py" />
            <source>There is no data: the model is timed on random numbers.</source>
            <translation>没有数据：模型用随机数计时。</translation>
        </message>
        <message>
            <location filename="workbench/gui/tensor_preview.py" />
            <source>channel</source>
            <translation>通道</translation>
        </message>
        <message>
            <location filename="workbench/gui/tensor_preview.py" />
            <source>mean</source>
            <translation>均值</translation>
        </message>
        <message>
            <location filename="workbench/gui/tensor_preview.py" />
            <source>Picture</source>
            <translation>图片</translation>
        </message>
        <message>
            <location filename="workbench/gui/tensor_preview.py" />
            <source>Channels</source>
            <translation>通道</translation>
        </message>
        <message>
            <location filename="workbench/gui/tensor_preview.py" />
            <source>class {0}</source>
            <translation>类别 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/tensor_preview.py" />
            <source>It cannot be used: {0}.</source>
            <translation>无法使用：{0}。</translation>
        </message>
        <message>
            <location filename="workbench/gui/tensor_preview.py" />
            <source>; {0} of {1} channels</source>
            <translation>；共 {1} 个通道，显示 {0} 个</translation>
        </message>
        <message>
            <location filename="workbench/gui/tensor_preview.py" />
            <source>; {0} values are not finite</source>
            <translation>；{0} 个值不是有限值</translation>
        </message>
        <message>
            <location filename="workbench/gui/tensor_preview.py" />
            <source>{0} is black, {1} is white</source>
            <translation>{0} 为黑，{1} 为白</translation>
        </message>
        <message>
            <location filename="workbench/gui/tensor_preview.py" />
            <source>dark {0} … {1} bright</source>
            <translation>暗 {0} … {1} 亮</translation>
        </message>
        <message>
            <location filename="workbench/gui/tensor_preview.py" />
            <source>from {0} to {1}</source>
            <translation>从 {0} 到 {1}</translation>
        </message>
        <message>
            <location filename="workbench/gui/trial_marks.py" />
            <source>star</source>
            <translation>加星标</translation>
        </message>
        <message>
            <location filename="workbench/gui/trial_marks.py" />
            <source>no star</source>
            <translation>取消星标</translation>
        </message>
        <message>
            <location filename="workbench/gui/trial_marks.py" />
            <source>delete trial {0}</source>
            <translation>删除试验 {0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/trial_words.py" />
            <source>1 thread</source>
            <translation>1 线程</translation>
        </message>
        <message>
            <location filename="workbench/gui/trial_words.py" />
            <source>{0} threads</source>
            <translation>{0} 线程</translation>
        </message>
        <message>
            <location filename="workbench/gui/trial_words.py" />
            <source>{0} INT8 kernels of {1}</source>
            <translation>{1} 个 INT8 内核中的 {0} 个</translation>
        </message>
        <message>
            <location filename="workbench/gui/trial_words.py" />
            <source>{0} INT8 kernels</source>
            <translation>{0} 个 INT8 内核</translation>
        </message>
        <message>
            <location filename="workbench/gui/trial_words.py" />
            <source>not in INT8: {0}</source>
            <translation>未用 INT8：{0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/trial_words.py" />
            <source>{0} in slow reference code</source>
            <translation>{0} 个使用慢速参考代码</translation>
        </message>
        <message>
            <location filename="workbench/gui/trial_words.py" />
            <source>{0} BF16 kernels</source>
            <translation>{0} 个 BF16 内核</translation>
        </message>
        <message>
            <location filename="workbench/gui/trial_words.py" />
            <source>{0} FP32 kernels</source>
            <translation>{0} 个 FP32 内核</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_model.py" />
            <source>time</source>
            <translation>时间</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_model.py" />
            <source>engine</source>
            <translation>引擎</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_model.py" />
            <source>precision</source>
            <translation>精度</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_model.py" />
            <source>threads</source>
            <translation>线程</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_model.py" />
            <source>status</source>
            <translation>状态</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_model.py" />
            <source>starred</source>
            <translation>已加星标</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_model.py" />
            <source>not starred</source>
            <translation>未加星标</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_model.py" />
            <source>Click to take the star away</source>
            <translation>单击取消星标</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_model.py" />
            <source>Click to give it a star</source>
            <translation>单击加星标</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_model.py" />
            <source>Double-click to write a note</source>
            <translation>双击填写备注</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_model.py" />
            <source>This is the baseline.</source>
            <translation>这是基线。</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>Search: int8  p50&lt;3  cosine&gt;=0.97  star</source>
            <translation>搜索：int8  p50&lt;3  cosine&gt;=0.97  star</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>Words that rows contain, and comparisons of columns: id, threads, p50, p99, max, cosine, int8.</source>
            <translation>行中包含的词，以及对列的比较：id、threads、p50、p99、max、cosine、int8。</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>No trials yet.</source>
            <translation>尚无试验。</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>Each run leaves one here, with its config and its samples.</source>
            <translation>每次运行都会在此留下一条记录，含配置和样本。</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>Star</source>
            <translation>星标</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>Give or take away</source>
            <translation>加上或取消</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>Note …</source>
            <translation>备注 …</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>Write what you know about it</source>
            <translation>写下您对它的了解</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>Run again</source>
            <translation>重新运行</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>Set its config and measure</source>
            <translation>采用其配置并测量</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>Use its config</source>
            <translation>采用其配置</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>Set all knobs</source>
            <translation>设置所有旋钮</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>Set as baseline</source>
            <translation>设为基线</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>Compare with it</source>
            <translation>与它比较</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>Copy as TOML</source>
            <translation>复制为 TOML</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>Copy its config as a file</source>
            <translation>把其配置复制为文件内容</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>Export bundle …</source>
            <translation>导出导出包 …</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>A folder that runs on the target</source>
            <translation>可在目标机器上运行的文件夹</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>Export CSV …</source>
            <translation>导出 CSV …</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>Save the rows shown here</source>
            <translation>保存此处显示的各行</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>Delete</source>
            <translation>删除</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>Undo brings it back</source>
            <translation>撤销可恢复</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>Export trials</source>
            <translation>导出试验</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <source>CSV (*.csv)</source>
            <translation>CSV (*.csv)</translation>
        </message>
        <message>
            <location filename="workbench/gui/trials_panel.py" />
            <location filename="workbench/host/recorded.py" />
            <source>Cannot write {0}.</source>
            <translation>无法写入 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/gui/trust.py" />
            <source>Trust this pickle?</source>
            <translation>信任这个 pickle？</translation>
        </message>
        <message>
            <location filename="workbench/gui/trust.py" />
            <source>Load it only if you know where it comes from. The permission counts for this file as it is now and is not remembered. Safer: TorchScript, ONNX, or a state dict with the model's source.</source>
            <translation>仅在清楚其来源时才加载。该许可只针对文件的当前内容，不会被记住。更安全的方式：TorchScript、ONNX，或附带模型源码的状态字典。</translation>
        </message>
        <message>
            <location filename="workbench/gui/trust.py" />
            <source>Trust and load</source>
            <translation>信任并加载</translation>
        </message>
        <message>
            <location filename="workbench/gui/trust.py" />
            <source>Do not load</source>
            <translation>不加载</translation>
        </message>
        <message>
            <location filename="workbench/gui/trust.py" />
            <source>Beyond tensors it wants to import:</source>
            <translation>除张量外，它还要导入：</translation>
        </message>
        <message>
            <location filename="workbench/gui/weight_plot.py" />
            <source>smallest and largest weight of each output channel</source>
            <translation>各输出通道的最小和最大权重</translation>
        </message>
        <message>
            <location filename="workbench/gui/worst_items.py" />
            <source>class by FP32 and by this</source>
            <translation>FP32 与本次给出的类别</translation>
        </message>
        <message>
            <location filename="workbench/gui/worst_items.py" />
            <source>true class</source>
            <translation>真实类别</translation>
        </message>
        <message>
            <location filename="workbench/gui/worst_items.py" />
            <source>class by FP32: {0}</source>
            <translation>FP32 给出的类别：{0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/worst_items.py" />
            <source>class by this config: {0}</source>
            <translation>本配置给出的类别：{0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/worst_items.py" />
            <source>true class: {0}</source>
            <translation>真实类别：{0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/worst_items.py" />
            <source>cosine to FP32's output: {0}</source>
            <translation>与 FP32 输出的余弦：{0}</translation>
        </message>
        <message>
            <location filename="workbench/gui/worst_items.py" />
            <source>label {0}</source>
            <translation>标签 {0}</translation>
        </message>
        <message>
            <location filename="workbench/host/_verdicts.py" />
            <location filename="workbench/study/ladder.py" />
            <source>ONNX Runtime</source>
            <translation>ONNX Runtime</translation>
        </message>
        <message>
            <location filename="workbench/host/_verdicts.py" />
            <source> (it exists for Linux on x86-64 only)</source>
            <translation>（它只有 Linux x86-64 版本）</translation>
        </message>
        <message>
            <location filename="workbench/host/_verdicts.py" />
            <source>{0} is not installed{1}.</source>
            <translation>{0} 未安装{1}。</translation>
        </message>
        <message>
            <location filename="workbench/host/_verdicts.py" />
            <source>IPEX needs PyTorch, which is not installed.</source>
            <translation>IPEX 需要 PyTorch，而 PyTorch 未安装。</translation>
        </message>
        <message>
            <location filename="workbench/host/_verdicts.py" />
            <source>IPEX {0} works with PyTorch {1} only, but PyTorch {2} is installed.</source>
            <translation>IPEX {0} 只能与 PyTorch {1} 配合，但安装的是 PyTorch {2}。</translation>
        </message>
        <message>
            <location filename="workbench/host/_verdicts.py" />
            <source>The interpreter cannot be started: {0}.</source>
            <translation>无法启动解释器：{0}。</translation>
        </message>
        <message>
            <location filename="workbench/host/_verdicts.py" />
            <source>{0} did not answer within {1} s; importing it hangs or the machine is very busy.</source>
            <translation>{0} 在 {1} s 内没有应答；可能是导入时挂起，或机器非常繁忙。</translation>
        </message>
        <message>
            <location filename="workbench/host/_verdicts.py" />
            <source>{0} cannot be used: {1}</source>
            <translation>{0} 无法使用：{1}</translation>
        </message>
        <message>
            <location filename="workbench/host/_verdicts.py" />
            <source>{0} cannot be loaded: a DLL it needs is missing.</source>
            <translation>{0} 无法加载：缺少它所需的 DLL。</translation>
        </message>
        <message>
            <location filename="workbench/host/_verdicts.py" />
            <source>{0} ended the process with exit code {1} while it was loaded</source>
            <translation>{0} 在加载时以退出码 {1} 结束了进程</translation>
        </message>
        <message>
            <location filename="workbench/host/_verdicts.py" />
            <source>{0} ended without an answer while it was loaded</source>
            <translation>{0} 在加载时未应答就结束了</translation>
        </message>
        <message>
            <location filename="workbench/host/_verdicts.py" />
            <location filename="workbench/worker/launcher.py" />
            <source>signal {0}</source>
            <translation>信号 {0}</translation>
        </message>
        <message>
            <location filename="workbench/host/_verdicts.py" />
            <source>{0} used an instruction that this CPU or virtual machine lacks (SIGILL), although AVX2 is there: this build wants more.</source>
            <translation>{0} 使用了本 CPU 或虚拟机没有的指令（SIGILL），尽管有 AVX2：该构建要求更高。</translation>
        </message>
        <message>
            <location filename="workbench/host/_verdicts.py" />
            <source>{0} stopped with an illegal instruction (SIGILL): the CPU or virtual machine lacks AVX2.</source>
            <translation>{0} 因非法指令（SIGILL）停止：本 CPU 或虚拟机没有 AVX2。</translation>
        </message>
        <message>
            <location filename="workbench/host/_verdicts.py" />
            <source>{0} was killed from outside while it was loaded, probably for want of memory.</source>
            <translation>{0} 在加载时被外部杀死，可能是内存不足。</translation>
        </message>
        <message>
            <location filename="workbench/host/_verdicts.py" />
            <source>{0} crashed while it was loaded ({1}).</source>
            <translation>{0} 在加载时崩溃（{1}）。</translation>
        </message>
        <message>
            <location filename="workbench/host/advice.py" />
            <source>{0} has no VNNI: INT8 brings little gain, and the reduced range (7 bits) is needed.</source>
            <translation>{0} 没有 VNNI：INT8 收益很小，而且需要缩减范围（7 位）。</translation>
        </message>
        <message>
            <location filename="workbench/host/advice.py" />
            <source>Preview: instructions are limited to {0}, as on an older CPU; clock and memory stay this one's.</source>
            <translation>预览：指令限于 {0}，如同在较旧的 CPU 上；时钟和内存仍是本机的。</translation>
        </message>
        <message>
            <location filename="workbench/host/advice.py" />
            <source>Preview: ranges are those for {0}, latencies those of this CPU ({1}).</source>
            <translation>预览：范围按 {0}，延迟是本机 CPU（{1}）的。</translation>
        </message>
        <message>
            <location filename="workbench/host/advice.py" />
            <source>Only CPUs {0} of {1} may be used (affinity mask or cpuset).</source>
            <translation>{1} 个 CPU 中只可使用 {0}（亲和性掩码或 cpuset）。</translation>
        </message>
        <message>
            <location filename="workbench/host/advice.py" />
            <source>The container grants {0} CPUs' worth of time on {1} CPUs: threads beyond {2} make the kernel stop all of them for the rest of each period.</source>
            <translation>容器在 {1} 个 CPU 上只给予相当于 {0} 个 CPU 的时间：线程超过 {2} 个时，内核会在每个周期的剩余时间里让所有线程停下。</translation>
        </message>
        <message>
            <location filename="workbench/host/advice.py" />
            <source>Several NUMA nodes: memory of another node is slower; runtime.numa_node keeps to one.</source>
            <translation>有多个 NUMA 节点：其他节点的内存较慢；runtime.numa_node 可限于一个节点。</translation>
        </message>
        <message>
            <location filename="workbench/host/advice.py" />
            <source>The CPU or virtual machine has no AVX2: kernels are slow, and some engines do not start.</source>
            <translation>CPU 或虚拟机没有 AVX2：内核很慢，有些引擎无法启动。</translation>
        </message>
        <message>
            <location filename="workbench/host/advice.py" />
            <source>No BF16 instructions: BF16 is emulated and slower than FP32.</source>
            <translation>没有 BF16 指令：BF16 靠模拟，比 FP32 慢。</translation>
        </message>
        <message>
            <location filename="workbench/host/advice.py" />
            <source>P and E cores: layers are cut into equal parts, so the E cores gate every parallel region. {0} threads by default use both; P cores alone, affinity preset p-cores, may be faster: `workbench sweep MODEL runtime.affinity={1}` measures which.</source>
            <translation>有 P 核和 E 核：每层都切成等份，因此每个并行区何时完成由 E 核决定。默认的 {0} 个线程两种核都用；只用 P 核（亲和性预设 p-cores）可能更快：用 `workbench sweep MODEL runtime.affinity={1}` 测出哪个更快。</translation>
        </message>
        <message>
            <location filename="workbench/host/advice.py" />
            <source>Governor {0}: the clock rises only under load; performance keeps it up.</source>
            <translation>调频策略 {0}：只有在负载下频率才上升；performance 使其保持高位。</translation>
        </message>
        <message>
            <location filename="workbench/host/advice.py" />
            <source>Governor powersave: the CPU stays at its lowest clock rate; performance keeps it up.</source>
            <translation>调频策略 powersave：CPU 停留在最低频率；performance 使其保持高位。</translation>
        </message>
        <message>
            <location filename="workbench/host/advice.py" />
            <source>Two hyper-threads share each core: with SMT off nothing else runs on it.</source>
            <translation>每个核由两个超线程共享：关闭 SMT 后核上不会再有别的线程。</translation>
        </message>
        <message>
            <location filename="workbench/host/advice.py" />
            <source>No CPU is isolated: kept free of everything else, CPUs {0} give the shortest tail to a worker with runtime.affinity={1}.</source>
            <translation>没有隔离的 CPU：让 CPU {0} 不运行其他任何东西，runtime.affinity={1} 的工作进程尾延迟最短。</translation>
        </message>
        <message>
            <location filename="workbench/host/advice.py" />
            <source>add isolcpus={0} nohz_full={1} to GRUB_CMDLINE_LINUX in /etc/default/grub, then sudo update-grub &amp;&amp; sudo reboot</source>
            <translation>在 /etc/default/grub 的 GRUB_CMDLINE_LINUX 中加入 isolcpus={0} nohz_full={1}，然后执行 sudo update-grub &amp;&amp; sudo reboot</translation>
        </message>
        <message>
            <location filename="workbench/host/cpulist.py" />
            <source>'{0}' is not a CPU number or a range such as 0-3</source>
            <translation>“{0}”不是 CPU 编号，也不是 0-3 这样的范围</translation>
        </message>
        <message>
            <location filename="workbench/host/cpulist.py" />
            <source>'{0}' is not an ascending range of CPU numbers below {1}</source>
            <translation>“{0}”不是小于 {1} 的 CPU 编号的升序范围</translation>
        </message>
        <message>
            <location filename="workbench/host/engines.py" />
            <source>legacy: no releases after 2.8</source>
            <translation>旧版：2.8 之后不再发布</translation>
        </message>
        <message>
            <location filename="workbench/host/engines.py" />
            <source>There is no Python interpreter to run engines with.</source>
            <translation>没有可用来运行引擎的 Python 解释器。</translation>
        </message>
        <message>
            <location filename="workbench/host/engines.py" />
            <source>The interpreter {0} cannot be started: {1}.</source>
            <translation>无法启动解释器 {0}：{1}。</translation>
        </message>
        <message>
            <location filename="workbench/host/engines.py" />
            <source>does not answer</source>
            <translation>没有应答</translation>
        </message>
        <message>
            <location filename="workbench/host/engines.py" />
            <source>is not a working Python</source>
            <translation>不是可用的 Python</translation>
        </message>
        <message>
            <location filename="workbench/host/engines.py" />
            <source>{0} {1}: its installed packages cannot be listed.</source>
            <translation>{0} {1}：无法列出其已安装的软件包。</translation>
        </message>
        <message>
            <location filename="workbench/host/environments.py" />
            <source>The list of environments cannot be read.</source>
            <translation>无法读取环境列表。</translation>
        </message>
        <message>
            <location filename="workbench/host/environments.py" />
            <source>Delete that file and add them again.</source>
            <translation>请删除该文件，然后重新添加。</translation>
        </message>
        <message>
            <location filename="workbench/host/environments.py" />
            <source>There is no environment '{0}'.</source>
            <translation>没有名为“{0}”的环境。</translation>
        </message>
        <message>
            <location filename="workbench/host/environments.py" />
            <source>`workbench envs add NAME PYTHON` adds one.</source>
            <translation>用 `workbench envs add NAME PYTHON` 可以添加。</translation>
        </message>
        <message>
            <location filename="workbench/host/environments.py" />
            <source>'{0}' is no name for an environment.</source>
            <translation>“{0}”不能作为环境的名称。</translation>
        </message>
        <message>
            <location filename="workbench/host/environments.py" />
            <source>Letters, digits, '.', '_' and '-' are allowed.</source>
            <translation>只允许字母、数字、“.”、“_”和“-”。</translation>
        </message>
        <message>
            <location filename="workbench/host/environments.py" />
            <source>There is an environment '{0}' already.</source>
            <translation>已有名为“{0}”的环境。</translation>
        </message>
        <message>
            <location filename="workbench/host/environments.py" />
            <source>`workbench envs remove {0}` first.</source>
            <translation>请先运行 `workbench envs remove {0}`。</translation>
        </message>
        <message>
            <location filename="workbench/host/environments.py" />
            <source>There is no Python at {0}.</source>
            <translation>{0} 处没有 Python。</translation>
        </message>
        <message>
            <location filename="workbench/host/environments.py" />
            <source>Give the interpreter, or the folder of a virtual environment.</source>
            <translation>请给出解释器，或虚拟环境的文件夹。</translation>
        </message>
        <message>
            <location filename="workbench/host/environments.py" />
            <source>The default environment cannot be removed.</source>
            <translation>默认环境不能删除。</translation>
        </message>
        <message>
            <location filename="workbench/host/environments.py" />
            <source>It is the one that runs the workbench.</source>
            <translation>工作台就是由它运行的。</translation>
        </message>
        <message>
            <location filename="workbench/host/environments.py" />
            <source>The list of environments cannot be written.</source>
            <translation>无法写入环境列表。</translation>
        </message>
        <message>
            <location filename="workbench/host/environments.py" />
            <source>it does not answer</source>
            <translation>它没有应答</translation>
        </message>
        <message>
            <location filename="workbench/host/environments.py" />
            <source>it ended with code {0}</source>
            <translation>它以退出码 {0} 结束</translation>
        </message>
        <message>
            <location filename="workbench/host/environments.py" />
            <source>the interpreter does not run: {0}</source>
            <translation>解释器无法运行：{0}</translation>
        </message>
        <message>
            <location filename="workbench/host/environments.py" />
            <source>Python {0} is too old, {1} is needed</source>
            <translation>Python {0} 太旧，需要 {1}</translation>
        </message>
        <message>
            <location filename="workbench/host/environments.py" />
            <source>workers need {0}</source>
            <translation>工作进程需要 {0}</translation>
        </message>
        <message>
            <location filename="workbench/host/environments.py" />
            <source>no engine works there</source>
            <translation>那里没有可用的引擎</translation>
        </message>
        <message>
            <location filename="workbench/host/environments.py" />
            <source>Environment '{0}' cannot be used.</source>
            <translation>环境“{0}”无法使用。</translation>
        </message>
        <message>
            <location filename="workbench/host/environments.py" />
            <source>Run: {0}</source>
            <translation>请运行：{0}</translation>
        </message>
        <message>
            <location filename="workbench/host/environments.py" />
            <source>`workbench envs check` tells more.</source>
            <translation>`workbench envs check` 会给出更多信息。</translation>
        </message>
        <message>
            <location filename="workbench/host/isa.py" />
            <source>Windows does not tell about VNNI, BF16 and AMX; they are taken as absent.</source>
            <translation>Windows 不报告 VNNI、BF16 和 AMX；视为没有。</translation>
        </message>
        <message>
            <location filename="workbench/host/isa.py" />
            <source>/proc/cpuinfo cannot be read, so the instruction sets are unknown.</source>
            <translation>无法读取 /proc/cpuinfo，因此指令集未知。</translation>
        </message>
        <message>
            <location filename="workbench/host/isa.py" />
            <source>'{0}' is not one of host, {1}</source>
            <translation>“{0}”不是 host、{1} 之一</translation>
        </message>
        <message>
            <location filename="workbench/host/isa.py" />
            <location filename="workbench/host/openmp.py" />
            <source>'{0}' is not one of {1}</source>
            <translation>“{0}”不是 {1} 之一</translation>
        </message>
        <message>
            <location filename="workbench/host/machine.py" />
            <source>{0} does not tell</source>
            <translation>{0} 不提供</translation>
        </message>
        <message>
            <location filename="workbench/host/machine.py" />
            <source>/sys cannot be read</source>
            <translation>无法读取 /sys</translation>
        </message>
        <message>
            <location filename="workbench/host/machine.py" />
            <source>the virtual machine hides it</source>
            <translation>虚拟机将其隐藏</translation>
        </message>
        <message>
            <location filename="workbench/host/machine.py" />
            <source>the container hides it</source>
            <translation>容器将其隐藏</translation>
        </message>
        <message>
            <location filename="workbench/host/machine.py" />
            <source>the kernel does not tell</source>
            <translation>内核不提供</translation>
        </message>
        <message>
            <location filename="workbench/host/machine.py" />
            <source>clock rates</source>
            <translation>时钟频率</translation>
        </message>
        <message>
            <location filename="workbench/host/machine.py" />
            <source>thermal throttling</source>
            <translation>过热降频</translation>
        </message>
        <message>
            <location filename="workbench/host/machine.py" />
            <source>cores and sockets</source>
            <translation>核与插槽</translation>
        </message>
        <message>
            <location filename="workbench/host/machine.py" />
            <source>locked memory</source>
            <translation>锁定内存</translation>
        </message>
        <message>
            <location filename="workbench/host/machine.py" />
            <source>quota throttling</source>
            <translation>配额限流</translation>
        </message>
        <message>
            <location filename="workbench/host/machine.py" />
            <source>no control group for CPU time can be seen</source>
            <translation>看不到管理 CPU 时间的控制组</translation>
        </message>
        <message>
            <location filename="workbench/host/machine.py" />
            <source>another C library</source>
            <translation>其他 C 库</translation>
        </message>
        <message>
            <location filename="workbench/host/machine.py" />
            <source>no file holds it</source>
            <translation>没有文件包含它</translation>
        </message>
        <message>
            <location filename="workbench/host/machine.py" />
            <source>{0}, kernel {1}</source>
            <translation>{0}，内核 {1}</translation>
        </message>
        <message>
            <location filename="workbench/host/machine.py" />
            <source>glibc </source>
            <translation>glibc </translation>
        </message>
        <message>
            <location filename="workbench/host/noise.py" />
            <source>Throttled by quota: the container's CPU limit stopped this process {0} times ({1} ms); P99 and the maximum cannot be trusted.</source>
            <translation>受配额限制：容器的 CPU 上限使本进程停顿了 {0} 次（共 {1} ms）；P99 和最大值不可信。</translation>
        </message>
        <message>
            <location filename="workbench/host/noise.py" />
            <source>The CPU slowed itself down because of heat ({0} thermal throttle events); check the cooling and measure again.</source>
            <translation>CPU 因过热自行降速（{0} 次热节流事件）；请检查散热后重新测量。</translation>
        </message>
        <message>
            <location filename="workbench/host/noise.py" />
            <source>CPU frequency fell {0} during the measurement ({1} to {2} MHz).</source>
            <translation>测量期间 CPU 频率下降了 {0}（从 {1} 到 {2} MHz）。</translation>
        </message>
        <message>
            <location filename="workbench/host/noise.py" />
            <source>Turbo was switched during the measurement; early and late runs do not compare.</source>
            <translation>测量期间睿频被切换；前后的运行不可比较。</translation>
        </message>
        <message>
            <location filename="workbench/host/noise.py" />
            <source>The hypervisor gave {0} of these CPUs' time to other virtual machines (steal); latency spikes may not be this program's.</source>
            <translation>虚拟机管理程序把这些 CPU 的 {0} 时间给了其他虚拟机（steal）；延迟尖峰未必来自本程序。</translation>
        </message>
        <message>
            <location filename="workbench/host/noise.py" />
            <source>Other processes kept {0} of {1} usable CPUs busy.</source>
            <translation>其他进程占用了 {1} 个可用 CPU 中的 {0} 个。</translation>
        </message>
        <message>
            <location filename="workbench/host/noise.py" />
            <source>The machine was loaded already (load average {0}).</source>
            <translation>机器原本就有负载（平均负载 {0}）。</translation>
        </message>
        <message>
            <location filename="workbench/host/noise.py" />
            <source>The scheduler pushed the measured process off its core {0} times a second: more threads than free cores, or other work on them.</source>
            <translation>调度器每秒把被测进程移出其核心 {0} 次：线程多于空闲核，或核上有其他任务。</translation>
        </message>
        <message>
            <location filename="workbench/host/noise.py" />
            <source>Before the runs the container's CPU limit stopped this process: its share of time may be used up.</source>
            <translation>运行之前，容器的 CPU 限额已使本进程停下：其时间份额可能已用完。</translation>
        </message>
        <message>
            <location filename="workbench/host/noise.py" />
            <source>Before the runs the hypervisor gave {0} of these CPUs' time to others (steal).</source>
            <translation>运行之前，虚拟机管理程序把这些 CPU 的 {0} 时间给了别处（steal）。</translation>
        </message>
        <message>
            <location filename="workbench/host/noise.py" />
            <source>Before the runs other processes kept {0} of {1} usable CPUs busy.</source>
            <translation>运行之前，其他进程占用了 {1} 个可用 CPU 中的 {0} 个。</translation>
        </message>
        <message>
            <location filename="workbench/host/noise.py" />
            <source>The frequency governor changed from {0} to {1}.</source>
            <translation>调频策略从 {0} 变为 {1}。</translation>
        </message>
        <message>
            <location filename="workbench/host/noise.py" />
            <source>Governor {0}: the clock rises only under load, so the first runs after a pause are slower</source>
            <translation>调频策略 {0}：只有在负载下才升频，因此停顿后的前几次运行较慢</translation>
        </message>
        <message>
            <location filename="workbench/host/noise.py" />
            <source>Governor powersave: the CPU stays at its lowest clock rate</source>
            <translation>调频策略 powersave：CPU 停留在最低频率</translation>
        </message>
        <message>
            <location filename="workbench/host/noise.py" />
            <source>{0}; 'performance' gives steadier numbers: {1}</source>
            <translation>{0}；'performance' 的数值更稳定：{1}</translation>
        </message>
        <message>
            <location filename="workbench/host/numa.py" />
            <source>{0} on {1} has no such call</source>
            <translation>{1} 上的 {0} 没有这个调用</translation>
        </message>
        <message>
            <location filename="workbench/host/recorded.py" />
            <source>This machine cannot be recorded.</source>
            <translation>无法记录这台机器。</translation>
        </message>
        <message>
            <location filename="workbench/host/recorded.py" />
            <source>There is no /proc/cpuinfo: this system describes itself by functions, not by files.</source>
            <translation>没有 /proc/cpuinfo：此系统以函数而非文件描述自身。</translation>
        </message>
        <message>
            <location filename="workbench/host/recorded.py" />
            <source>`workbench host --json` writes what is known of it.</source>
            <translation>`workbench host --json` 可写出已知的内容。</translation>
        </message>
        <message>
            <location filename="workbench/host/recorded.py" />
            <source>{0} is not a recorded machine.</source>
            <translation>{0} 不是记录的机器。</translation>
        </message>
        <message>
            <location filename="workbench/host/recorded.py" />
            <source>`workbench host --record FILE` writes one.</source>
            <translation>`workbench host --record FILE` 可写出一个。</translation>
        </message>
        <message>
            <location filename="workbench/host/recorded.py" />
            <source>{0} has format {1}.</source>
            <translation>{0} 的格式为 {1}。</translation>
        </message>
        <message>
            <location filename="workbench/host/recorded.py" />
            <source>This version reads format {0}.</source>
            <translation>此版本读取格式 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/host/recorded.py" />
            <source>The recorded machine cannot be opened.</source>
            <translation>无法打开记录的机器。</translation>
        </message>
        <message>
            <location filename="workbench/host/recorded.py" />
            <source>'{0}' is not a path below /.</source>
            <translation>'{0}' 不是 / 之下的路径。</translation>
        </message>
        <message>
            <location filename="workbench/onsite/selftest.py" />
            <source>A picture is prepared differently here, by {0} levels.</source>
            <translation>此处图片的预处理结果不同，相差 {0} 级。</translation>
        </message>
        <message>
            <location filename="workbench/onsite/selftest.py" />
            <source>Is OpenCV the pinned version?</source>
            <translation>OpenCV 是锁定的版本吗？</translation>
        </message>
        <message>
            <location filename="workbench/onsite/selftest.py" />
            <source>{0} pictures, at most {1} levels apart</source>
            <translation>{0} 张图片，最多相差 {1} 级</translation>
        </message>
        <message>
            <location filename="workbench/onsite/selftest.py" />
            <source>the golden samples are no pictures</source>
            <translation>基准样本不是图片</translation>
        </message>
        <message>
            <location filename="workbench/onsite/selftest.py" />
            <source>{0} of golden sample {1} has another shape, or values that are not finite.</source>
            <translation>基准样本 {1} 的 {0} 形状不同，或含有非有限值。</translation>
        </message>
        <message>
            <location filename="workbench/onsite/selftest.py" />
            <source>slice {0} of {1}, golden sample {2}</source>
            <translation>基准样本 {2}，{1} 的第 {0} 个切片</translation>
        </message>
        <message>
            <location filename="workbench/onsite/selftest.py" />
            <source>The outputs differ: cosine {0} at {1}.</source>
            <translation>输出不同：余弦 {0}，位于{1}。</translation>
        </message>
        <message>
            <location filename="workbench/onsite/selftest.py" />
            <source>At least {0} is wanted.</source>
            <translation>至少应为 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/onsite/selftest.py" />
            <source>The outputs are not bit-identical.</source>
            <translation>输出并非逐位相同。</translation>
        </message>
        <message>
            <location filename="workbench/onsite/selftest.py" />
            <source>The CPU is of the same kind; cosine {0}.</source>
            <translation>CPU 是同一种；余弦 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/onsite/selftest.py" />
            <source>cosine at least {0}</source>
            <translation>余弦至少 {0}</translation>
        </message>
        <message>
            <location filename="workbench/onsite/selftest.py" />
            <source>the bundle is not INT8</source>
            <translation>该导出包不是 INT8</translation>
        </message>
        <message>
            <location filename="workbench/onsite/selftest.py" />
            <source>{0} INT8 kernels ran, {1} were exported.</source>
            <translation>运行了 {0} 个 INT8 内核，导出时有 {1} 个。</translation>
        </message>
        <message>
            <location filename="workbench/onsite/selftest.py" />
            <source>Part of the model fell back to FP32.</source>
            <translation>模型的一部分退回到了 FP32。</translation>
        </message>
        <message>
            <location filename="workbench/onsite/selftest.py" />
            <source>{0} INT8 kernels ran</source>
            <translation>运行了 {0} 个 INT8 内核</translation>
        </message>
        <message>
            <location filename="workbench/onsite/start.py" />
            <source>pip install -r requirements.txt</source>
            <translation>pip install -r requirements.txt</translation>
        </message>
        <message>
            <location filename="workbench/onsite/start.py" />
            <source>manifest.json: {0}.</source>
            <translation>manifest.json：{0}。</translation>
        </message>
        <message>
            <location filename="workbench/onsite/start.py" />
            <source>Copy the bundle anew.</source>
            <translation>请重新复制导出包。</translation>
        </message>
        <message>
            <location filename="workbench/onsite/start.py" />
            <source>{0} is not what was exported.</source>
            <translation>{0} 与导出时不同。</translation>
        </message>
        <message>
            <location filename="workbench/onsite/start.py" />
            <source>It was changed or damaged.</source>
            <translation>它被更改或损坏了。</translation>
        </message>
        <message>
            <location filename="workbench/onsite/start.py" />
            <source>{0} is not installed.</source>
            <translation>{0} 没有安装。</translation>
        </message>
        <message>
            <location filename="workbench/onsite/start.py" />
            <source>{0} is {1} here.</source>
            <translation>此处的 {0} 为 {1}。</translation>
        </message>
        <message>
            <location filename="workbench/onsite/start.py" />
            <source>The bundle was verified with {0}.</source>
            <translation>导出包是用 {0} 验证的。</translation>
        </message>
        <message>
            <location filename="workbench/onsite/start.py" />
            <source>This CPU has no {0}, which the bundle needs.</source>
            <translation>这个 CPU 没有 {0}，而导出包需要它。</translation>
        </message>
        <message>
            <location filename="workbench/onsite/start.py" />
            <source>Export it again with target_isa set to what this CPU has.</source>
            <translation>请把 target_isa 设为这个 CPU 具备的指令集，再重新导出。</translation>
        </message>
        <message>
            <location filename="workbench/onsite/start.py" />
            <source>The process cannot be bound to the CPUs {0}.</source>
            <translation>进程无法绑定到 CPU {0}。</translation>
        </message>
        <message>
            <location filename="workbench/onsite/start.py" />
            <source>Some of them may not be used here, or it is no list like 0-3,8.</source>
            <translation>其中一些在此不可使用，或者不是像 0-3,8 这样的列表。</translation>
        </message>
        <message>
            <location filename="workbench/onsite/start.py" />
            <source>Give others with --affinity, or '' for all.</source>
            <translation>请用 --affinity 另行指定，或用 '' 表示全部。</translation>
        </message>
        <message>
            <location filename="workbench/onsite/start.py" />
            <source>The bundle runs with {0}, which is not installed here.</source>
            <translation>导出包需要 {0} 才能运行，而此处没有安装。</translation>
        </message>
        <message>
            <location filename="workbench/onsite/start.py" />
            <source>README.md says how.</source>
            <translation>做法见 README.md。</translation>
        </message>
        <message>
            <location filename="workbench/study/compare.py" />
            <source>A/A shows a difference where there is none: this machine is too restless for comparisons now. See the warnings, and `workbench host` for what makes it steadier.</source>
            <translation>A/A 显示了并不存在的差异：这台机器现在太不平稳，不适合做比较。请看警告，以及 `workbench host` 中让它更平稳的办法。</translation>
        </message>
        <message>
            <location filename="workbench/study/compare.py" />
            <source>This machine differs from itself by up to {0} % (95 % interval).</source>
            <translation>这台机器与自身相差可达 {0} %（95 % 区间）。</translation>
        </message>
        <message>
            <location filename="workbench/study/compare.py" />
            <source>This machine differs from itself by at most {0} % (95 % interval): no difference, as it should be.</source>
            <translation>这台机器与自身最多相差 {0} %（95 % 区间）：未显示差异，理应如此。</translation>
        </message>
        <message>
            <location filename="workbench/study/compare.py" />
            <source>Trial {0} has no samples to compare.</source>
            <translation>试验 {0} 没有可供比较的样本。</translation>
        </message>
        <message>
            <location filename="workbench/study/compare.py" />
            <source>Choose another trial.</source>
            <translation>请选择另一个试验。</translation>
        </message>
        <message>
            <location filename="workbench/study/disturbance.py" />
            <location filename="workbench/study/runner.py" />
            <location filename="workbench/worker/measurement.py" />
            <source>warming up</source>
            <translation>正在预热</translation>
        </message>
        <message>
            <location filename="workbench/study/effects.py" />
            <source>{0} has no effect: libgomp does not read it; runtime.openmp=iomp loads the runtime that does.</source>
            <translation>{0} 不起作用：libgomp 不读取它；runtime.openmp=iomp 会加载读取它的运行时。</translation>
        </message>
        <message>
            <location filename="workbench/study/effects.py" />
            <source>{0} has no effect: Intel's OpenMP does not read it.</source>
            <translation>{0} 不起作用：Intel 的 OpenMP 不读取它。</translation>
        </message>
        <message>
            <location filename="workbench/study/effects.py" />
            <source>runtime.isa_limit={0} has no effect: this CPU has nothing newer.</source>
            <translation>runtime.isa_limit={0} 不起作用：此 CPU 没有更新的指令。</translation>
        </message>
        <message>
            <location filename="workbench/study/effects.py" />
            <source>{0} has no effect with one thread: nobody waits.</source>
            <translation>{0} 在单线程时不起作用：没有谁在等待。</translation>
        </message>
        <message>
            <location filename="workbench/study/effects.py" />
            <source>layout.channels_last has no effect: the model has no convolutions.</source>
            <translation>layout.channels_last 不起作用：模型没有卷积。</translation>
        </message>
        <message>
            <location filename="workbench/study/effects.py" />
            <source>runtime.interop_threads has no effect on a model that forks no tasks of its own (torch.jit.fork), which few do.</source>
            <translation>runtime.interop_threads 对自身不派生任务（torch.jit.fork）的模型不起作用，而派生任务的模型很少。</translation>
        </message>
        <message>
            <location filename="workbench/study/judge.py" />
            <source>cancelled; what was measured until then is kept</source>
            <translation>已取消；此前测得的结果已保留</translation>
        </message>
        <message>
            <location filename="workbench/study/judge.py" />
            <source>the outputs are not finite</source>
            <translation>输出不是有限值</translation>
        </message>
        <message>
            <location filename="workbench/study/judge.py" />
            <source>the range fixed on {0} was not obeyed: {1}</source>
            <translation>在 {0} 上固定的范围未被遵守：{1}</translation>
        </message>
        <message>
            <location filename="workbench/study/judge.py" />
            <source>{0} threads were asked for, {1} are used</source>
            <translation>要求 {0} 个线程，实际使用 {1} 个</translation>
        </message>
        <message>
            <location filename="workbench/study/judge.py" />
            <source>CPUs {0} were asked for, {1} are used</source>
            <translation>要求 CPU {0}，实际使用 {1}</translation>
        </message>
        <message>
            <location filename="workbench/study/judge.py" />
            <source>inter-op threads are {0}</source>
            <translation>算子间线程数为 {0}</translation>
        </message>
        <message>
            <location filename="workbench/study/judge.py" />
            <source>Intel's OpenMP was asked for and is not loaded</source>
            <translation>要求使用 Intel 的 OpenMP，但未加载</translation>
        </message>
        <message>
            <location filename="workbench/study/judge.py" />
            <source>Intel's OpenMP was asked for and is loaded, but {0} does the work</source>
            <translation>要求使用 Intel 的 OpenMP，它已加载，但实际工作的是 {0}</translation>
        </message>
        <message>
            <location filename="workbench/study/judge.py" />
            <source>{0} was asked for and is not loaded</source>
            <translation>要求使用 {0}，但未加载</translation>
        </message>
        <message>
            <location filename="workbench/study/judge.py" />
            <source>denormals are not flushed</source>
            <translation>非规格化数未被清零</translation>
        </message>
        <message>
            <location filename="workbench/study/judge.py" />
            <source>runtime.isa_limit={0} was asked for, but {1} ran</source>
            <translation>要求 runtime.isa_limit={0}，但 {1} 运行了</translation>
        </message>
        <message>
            <location filename="workbench/study/judge.py" />
            <source>INT8 was asked for and no INT8 kernel ran</source>
            <translation>要求 INT8，但没有运行任何 INT8 内核</translation>
        </message>
        <message>
            <location filename="workbench/study/judge.py" />
            <source>{0} of {1} planned layers ran in INT8; missing: {2}</source>
            <translation>计划的 {1} 层中有 {0} 层以 INT8 运行；缺少：{2}</translation>
        </message>
        <message>
            <location filename="workbench/study/judge.py" />
            <source>kept in FP32 by the config, but ran in INT8: {0}</source>
            <translation>按配置应保持 FP32，却以 INT8 运行：{0}</translation>
        </message>
        <message>
            <location filename="workbench/study/judge.py" />
            <source>BF16 was asked for and no BF16 kernel ran</source>
            <translation>要求 BF16，但没有运行任何 BF16 内核</translation>
        </message>
        <message>
            <location filename="workbench/study/ladder.py" />
            <source>BF16, IPEX</source>
            <translation>BF16，IPEX</translation>
        </message>
        <message>
            <location filename="workbench/study/ladder.py" />
            <source>INT8, PyTorch</source>
            <translation>INT8，PyTorch</translation>
        </message>
        <message>
            <location filename="workbench/study/ladder.py" />
            <source>INT8, IPEX</source>
            <translation>INT8，IPEX</translation>
        </message>
        <message>
            <location filename="workbench/study/ladder.py" />
            <source>INT8, ONNX Runtime</source>
            <translation>INT8，ONNX Runtime</translation>
        </message>
        <message>
            <location filename="workbench/study/ladder.py" />
            <source>not kept for the next rungs: it is not faster</source>
            <translation>不保留到后面的台阶：它并不更快</translation>
        </message>
        <message>
            <location filename="workbench/study/ladder.py" />
            <source>The first rung again, at the end: {0} times its time (95 % interval {1} to {2}).</source>
            <translation>最后再测第一级台阶：用时为起初的 {0} 倍（95 % 区间 {1} 到 {2}）。</translation>
        </message>
        <message>
            <location filename="workbench/study/ladder.py" />
            <source> The machine has changed meanwhile: speeds of rungs far apart compare only roughly.</source>
            <translation>期间机器发生了变化：相隔较远的台阶之间，速度只能粗略比较。</translation>
        </message>
        <message>
            <location filename="workbench/study/runner.py" />
            <source>The model could not be inspected.</source>
            <translation>无法检查该模型。</translation>
        </message>
        <message>
            <location filename="workbench/study/runner.py" />
            <source>The model could not be exported to ONNX.</source>
            <translation>该模型无法导出为 ONNX。</translation>
        </message>
        <message>
            <location filename="workbench/study/runner.py" />
            <source>The range fixed on {0} changes nothing: {1} has no scale there.</source>
            <translation>在 {0} 上固定的范围不起作用：{1} 在那里没有比例因子。</translation>
        </message>
        <message>
            <location filename="workbench/study/runner.py" />
            <source>Last words of the worker: </source>
            <translation>工作进程的最后输出：</translation>
        </message>
        <message>
            <location filename="workbench/study/runner.py" />
            <source>{0} bursts were thrown away and taken anew: the window was used meanwhile.</source>
            <translation>丢弃并重测了 {0} 个突发：其间窗口被操作。</translation>
        </message>
        <message>
            <location filename="workbench/study/runner.py" />
            <source>Not in INT8: </source>
            <translation>未用 INT8：</translation>
        </message>
        <message>
            <location filename="workbench/study/runner.py" />
            <source>in environment '{0}'</source>
            <translation>在环境“{0}”中</translation>
        </message>
        <message>
            <location filename="workbench/study/runner.py" />
            <source>Engine '{0}' is not available {1}.</source>
            <translation>引擎“{0}”{1}不可用。</translation>
        </message>
        <message>
            <location filename="workbench/study/runner.py" />
            <source>`workbench envs check {0}` lists what is.</source>
            <translation>`workbench envs check {0}` 会列出可用的引擎。</translation>
        </message>
        <message>
            <location filename="workbench/study/store.py" />
            <source>There is no study '{0}'.</source>
            <translation>没有名为“{0}”的研究。</translation>
        </message>
        <message>
            <location filename="workbench/study/store.py" />
            <source>Looked at {0} and {1}.</source>
            <translation>已查找 {0} 和 {1}。</translation>
        </message>
        <message>
            <location filename="workbench/study/store.py" />
            <source>There is no study at {0}.</source>
            <translation>{0} 处没有研究。</translation>
        </message>
        <message>
            <location filename="workbench/study/store.py" />
            <source>Measure something first, or give another --study.</source>
            <translation>请先测量，或给出另一个 --study。</translation>
        </message>
        <message>
            <location filename="workbench/study/store.py" />
            <source>none yet</source>
            <translation>尚无</translation>
        </message>
        <message>
            <location filename="workbench/study/store.py" />
            <source>The study has no trial {0}.</source>
            <translation>该研究没有试验 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/study/store.py" />
            <source>It has {0}.</source>
            <translation>它有 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/study/store.py" />
            <source>`workbench study` lists them.</source>
            <translation>`workbench study` 会列出它们。</translation>
        </message>
        <message>
            <location filename="workbench/study/store.py" />
            <source>The study {0} cannot be written.</source>
            <translation>无法写入研究 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/study/store.py" />
            <source>Give another --study.</source>
            <translation>请给出另一个 --study。</translation>
        </message>
        <message>
            <location filename="workbench/study/store.py" />
            <source>The study {0} cannot be used.</source>
            <translation>无法使用研究 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/study/store.py" />
            <source>Check the path, the permissions and the free space.</source>
            <translation>请检查路径、权限和剩余空间。</translation>
        </message>
        <message>
            <location filename="workbench/study/subject.py" />
            <source>There is nothing to evaluate on.</source>
            <translation>没有可用来评估的内容。</translation>
        </message>
        <message>
            <location filename="workbench/study/subject.py" />
            <source>--calib and --labels go with --data.</source>
            <translation>--calib 和 --labels 须与 --data 一起使用。</translation>
        </message>
        <message>
            <location filename="workbench/study/subject.py" />
            <source>Add --data FOLDER.</source>
            <translation>请加上 --data FOLDER。</translation>
        </message>
        <message>
            <location filename="workbench/study/subject.py" />
            <source>Trial {0} does not say how its model was opened.</source>
            <translation>试验 {0} 没有记录其模型如何打开。</translation>
        </message>
        <message>
            <location filename="workbench/study/subject.py" />
            <source>It was measured by an older version.</source>
            <translation>它由较旧的版本测得。</translation>
        </message>
        <message>
            <location filename="workbench/study/subject.py" />
            <source>Measure it again.</source>
            <translation>请重新测量。</translation>
        </message>
        <message>
            <location filename="workbench/study/subject.py" />
            <source>{0} has changed since trial {1}.</source>
            <translation>自试验 {1} 以来 {0} 已改变。</translation>
        </message>
        <message>
            <location filename="workbench/study/subject.py" />
            <source>Its hash is another one.</source>
            <translation>其哈希值不同。</translation>
        </message>
        <message>
            <location filename="workbench/study/subject.py" />
            <source>The data of trial {0} is gone.</source>
            <translation>试验 {0} 的数据已不存在。</translation>
        </message>
        <message>
            <location filename="workbench/study/subject.py" />
            <source>{0} does not exist.</source>
            <translation>{0} 不存在。</translation>
        </message>
        <message>
            <location filename="workbench/study/subject.py" />
            <source>Put it back.</source>
            <translation>请放回原处。</translation>
        </message>
        <message>
            <location filename="workbench/study/sweep.py" />
            <source>None of the values of {0} can be compared.</source>
            <translation>{0} 的取值都无法比较。</translation>
        </message>
        <message>
            <location filename="workbench/study/sweep.py" />
            <source>Give others.</source>
            <translation>请给出其他取值。</translation>
        </message>
        <message>
            <location filename="workbench/study/sweep.py" />
            <source>nothing was timed</source>
            <translation>没有计时结果</translation>
        </message>
        <message>
            <location filename="workbench/study/sweep_values.py" />
            <source>Example: runtime.threads=1,2,4</source>
            <translation>例如：runtime.threads=1,2,4</translation>
        </message>
        <message>
            <location filename="workbench/study/sweep_values.py" />
            <source>{0} cannot be swept here: {1}.</source>
            <translation>此处不能扫描 {0}：{1}。</translation>
        </message>
        <message>
            <location filename="workbench/study/sweep_values.py" />
            <source>{0} has no values that are always worth trying.</source>
            <translation>{0} 没有总是值得一试的取值。</translation>
        </message>
        <message>
            <location filename="workbench/study/sweep_values.py" />
            <source>Give some. {0}</source>
            <translation>请给出一些。{0}</translation>
        </message>
        <message>
            <location filename="workbench/study/sweep_values.py" />
            <source>One value of {0} is no sweep.</source>
            <translation>{0} 只有一个取值，不成扫描。</translation>
        </message>
        <message>
            <location filename="workbench/study/sweep_values.py" />
            <source>Only {0}={1} was given.</source>
            <translation>只给出了 {0}={1}。</translation>
        </message>
        <message>
            <location filename="workbench/study/sweep_values.py" />
            <source>Give at least two. {0}</source>
            <translation>请至少给出两个。{0}</translation>
        </message>
        <message>
            <location filename="workbench/worker/child.py" />
            <source>there is not enough memory for this job; lower run.batch or calibration.samples, or raise the limit</source>
            <translation>内存不足以完成此任务；请降低 run.batch 或 calibration.samples，或提高限额</translation>
        </message>
        <message>
            <location filename="workbench/worker/child.py" />
            <source>cancelled before anything was measured</source>
            <translation>在测得任何结果之前已取消</translation>
        </message>
        <message>
            <location filename="workbench/worker/child.py" />
            <source>Memory could not be bound to NUMA node {0} ({1}): only the CPUs are; memory may lie elsewhere.</source>
            <translation>内存无法绑定到 NUMA 节点 {0}（{1}）：只绑定了 CPU；内存可能在别处。</translation>
        </message>
        <message>
            <location filename="workbench/worker/child.py" />
            <source>importing the engine</source>
            <translation>正在导入引擎</translation>
        </message>
        <message>
            <location filename="workbench/worker/environment.py" />
            <source>{0} of this shell did not reach the worker: knobs alone turn something.</source>
            <translation>此 shell 的 {0} 没有传给工作进程：只有旋钮才起作用。</translation>
        </message>
        <message>
            <location filename="workbench/worker/environment.py" />
            <source> {0} would have no effect anyway under libgomp; runtime.openmp=iomp loads what reads it.</source>
            <translation>{0} 在 libgomp 下本来也不起作用；runtime.openmp=iomp 会加载读取它的运行时。</translation>
        </message>
        <message>
            <location filename="workbench/worker/environment.py" />
            <source>'{0}' is not a list of CPUs.</source>
            <translation>“{0}”不是 CPU 列表。</translation>
        </message>
        <message>
            <location filename="workbench/worker/environment.py" />
            <source>Example: runtime.affinity=0-3,8</source>
            <translation>示例：runtime.affinity=0-3,8</translation>
        </message>
        <message>
            <location filename="workbench/worker/environment.py" />
            <source>CPU {0} cannot be used.</source>
            <translation>CPU {0} 不可使用。</translation>
        </message>
        <message>
            <location filename="workbench/worker/environment.py" />
            <source>runtime.affinity names no CPU.</source>
            <translation>runtime.affinity 没有指定任何 CPU。</translation>
        </message>
        <message>
            <location filename="workbench/worker/environment.py" />
            <source>This process may use {0}.</source>
            <translation>本进程可使用 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/worker/environment.py" />
            <source>Correct runtime.affinity.</source>
            <translation>请改正 runtime.affinity。</translation>
        </message>
        <message>
            <location filename="workbench/worker/environment.py" />
            <source>There is no NUMA node {0}.</source>
            <translation>没有 NUMA 节点 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/worker/environment.py" />
            <source>This machine has {0}.</source>
            <translation>本机有 {0}。</translation>
        </message>
        <message>
            <location filename="workbench/worker/environment.py" />
            <source>none that it shows</source>
            <translation>未显示任何节点</translation>
        </message>
        <message>
            <location filename="workbench/worker/environment.py" />
            <source>Correct runtime.numa_node.</source>
            <translation>请改正 runtime.numa_node。</translation>
        </message>
        <message>
            <location filename="workbench/worker/environment.py" />
            <source>No CPU of NUMA node {0} may be used.</source>
            <translation>NUMA 节点 {0} 没有可用的 CPU。</translation>
        </message>
        <message>
            <location filename="workbench/worker/environment.py" />
            <source>Choose another node.</source>
            <translation>请选择另一个节点。</translation>
        </message>
        <message>
            <location filename="workbench/worker/environment.py" />
            <source>{0}={1} needs a library that is not installed.</source>
            <translation>{0}={1} 需要一个尚未安装的库。</translation>
        </message>
        <message>
            <location filename="workbench/worker/environment.py" />
            <source>Install it: {0}</source>
            <translation>请安装：{0}</translation>
        </message>
        <message>
            <location filename="workbench/worker/forking.py" />
            <source>there are threads</source>
            <translation>存在线程</translation>
        </message>
        <message>
            <location filename="workbench/worker/inspection.py" />
            <source>probing axes</source>
            <translation>正在探测各轴</translation>
        </message>
        <message>
            <location filename="workbench/worker/inspection.py" />
            <source>exporting to ONNX</source>
            <translation>正在导出为 ONNX</translation>
        </message>
        <message>
            <location filename="workbench/worker/inspection.py" />
            <source>axis {0} of {1} is declared dynamic, but the model fails at {2}</source>
            <translation>{1} 的轴 {0} 声明为动态，但模型在 {2} 处失败</translation>
        </message>
        <message>
            <location filename="workbench/worker/launcher.py" />
            <source>the worker sent something that is not a report ({0})</source>
            <translation>工作进程发来的内容不是报告（{0}）</translation>
        </message>
        <message>
            <location filename="workbench/worker/launcher.py" />
            <source>the worker failed: {0}</source>
            <translation>工作进程失败：{0}</translation>
        </message>
        <message>
            <location filename="workbench/worker/launcher.py" />
            <source>the worker said nothing for {0} s and was killed</source>
            <translation>工作进程在 {0} s 内没有任何消息，已被终止</translation>
        </message>
        <message>
            <location filename="workbench/worker/launcher.py" />
            <source>it was killed from outside, often because memory ran out; if so, lower run.batch or runtime.threads, or use a smaller input</source>
            <translation>它被外部杀死，通常是因为内存耗尽；若是如此，请降低 run.batch 或 runtime.threads，或使用更小的输入</translation>
        </message>
        <message>
            <location filename="workbench/worker/launcher.py" />
            <source>the CPU time that it may use (ulimit -t) was used up</source>
            <translation>允许使用的 CPU 时间（ulimit -t）已用完</translation>
        </message>
        <message>
            <location filename="workbench/worker/launcher.py" />
            <source>a library crashed</source>
            <translation>某个库崩溃了</translation>
        </message>
        <message>
            <location filename="workbench/worker/launcher.py" />
            <source>a library gave up</source>
            <translation>某个库放弃了执行</translation>
        </message>
        <message>
            <location filename="workbench/worker/launcher.py" />
            <source>a library used an instruction that this CPU does not have</source>
            <translation>某个库使用了本 CPU 没有的指令</translation>
        </message>
        <message>
            <location filename="workbench/worker/launcher.py" />
            <source>a library crashed on memory or a truncated file</source>
            <translation>某个库因内存访问或文件被截断而崩溃</translation>
        </message>
        <message>
            <location filename="workbench/worker/launcher.py" />
            <source>a signal ended it</source>
            <translation>它被信号终止</translation>
        </message>
        <message>
            <location filename="workbench/worker/launcher.py" />
            <source>the worker was ended by {0}: {1}</source>
            <translation>工作进程被 {0} 终止：{1}</translation>
        </message>
        <message>
            <location filename="workbench/worker/launcher.py" />
            <source>the worker exited with code {0} before it had a result</source>
            <translation>工作进程在得出结果前以退出码 {0} 退出</translation>
        </message>
        <message>
            <location filename="workbench/worker/measurement.py" />
            <source>comparing with FP32</source>
            <translation>正在与 FP32 比较</translation>
        </message>
        <message>
            <location filename="workbench/worker/measurement.py" />
            <source>saving the model</source>
            <translation>正在保存模型</translation>
        </message>
        <message>
            <location filename="workbench/worker/measurement.py" />
            <source>looking into the layers</source>
            <translation>正在查看各层</translation>
        </message>
        <message>
            <location filename="workbench/worker/measurement.py" />
            <source>{0} was left out: {1}</source>
            <translation>已略去 {0}：{1}</translation>
        </message>
        <message>
            <location filename="workbench/worker/measurement.py" />
            <source>There is no data: ranges were calibrated on random numbers. Fine for speed, meaningless for accuracy.</source>
            <translation>没有数据：范围是用随机数校准的。用于测速没有问题，但准确度没有意义。</translation>
        </message>
        <message>
            <location filename="workbench/worker/measurement.py" />
            <source>No calibration sample can be read.</source>
            <translation>没有可读取的校准样本。</translation>
        </message>
        <message>
            <location filename="workbench/worker/measurement.py" />
            <location filename="workbench/worker/preparation.py" />
            <source>All of them are broken.</source>
            <translation>全部损坏。</translation>
        </message>
        <message>
            <location filename="workbench/worker/measurement.py" />
            <location filename="workbench/worker/preparation.py" />
            <source>See the warnings.</source>
            <translation>请看警告。</translation>
        </message>
        <message>
            <location filename="workbench/worker/measurement.py" />
            <source>measuring memory</source>
            <translation>正在测量内存</translation>
        </message>
        <message>
            <location filename="workbench/worker/measurement.py" />
            <source>This kernel does not reset the memory high-water mark: the peak includes the build.</source>
            <translation>该系统内核不会重置内存高水位标记：峰值包含构建过程。</translation>
        </message>
        <message>
            <location filename="workbench/worker/measurement.py" />
            <source>no compute kernel could be named</source>
            <translation>无法指认任何计算内核</translation>
        </message>
        <message>
            <location filename="workbench/worker/preparation.py" />
            <source>reading data</source>
            <translation>正在读取数据</translation>
        </message>
        <message>
            <location filename="workbench/worker/preparation.py" />
            <source>No sample of the data can be read.</source>
            <translation>数据中没有可读取的样本。</translation>
        </message>
        <message>
            <location filename="workbench/worker/saving.py" />
            <source>The model could not be saved.</source>
            <translation>无法保存模型。</translation>
        </message>
        <message>
            <location filename="workbench/worker/saving.py" />
            <source>Make room there, or choose another place.</source>
            <translation>请在该处腾出空间，或选择其他位置。</translation>
        </message>
        <message>
            <location filename="workbench/worker/warm.py" />
            <source>the warm parent does not start</source>
            <translation>预载的父进程无法启动</translation>
        </message>
    </context>
</TS>
